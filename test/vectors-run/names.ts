import { expect } from '@jest/globals';
import {
  checkAsPrefix,
  checkConfigMapKey,
  checkDnsLabel,
  checkDnsLabel1035,
  checkDnsSubdomain,
  checkDnsSubdomainCaseless,
  checkEnvVarName,
  checkLabelValue,
  checkPathSegment,
  checkPortName,
  checkQualifiedName,
  checkRelaxedEnvVarName,
  type NameCheck,
} from '../../pkg/apimachinery/meta/names.ts';
import { runnerOf } from './vector.ts';

interface NameVector {
  readonly input: string;
  /** By rule. */
  readonly expectedValid: Readonly<Record<string, boolean>>;
}

const CHECKS: ReadonlyMap<string, NameCheck> = new Map([
  ['dns1123Label', checkDnsLabel],
  ['dns1123Subdomain', checkDnsSubdomain],
  ['dns1035Label', checkDnsLabel1035],
  ['qualifiedName', checkQualifiedName],
  ['labelValue', checkLabelValue],
  ['pathSegmentName', checkPathSegment],
  ['generateNameSubdomain', checkAsPrefix(checkDnsSubdomain)],
  ['generateNameLabel', checkAsPrefix(checkDnsLabel)],
  ['dns1123SubdomainCaseless', checkDnsSubdomainCaseless],
  ['envVarName', checkEnvVarName],
  ['relaxedEnvVarName', checkRelaxedEnvVarName],
  ['configMapKey', checkConfigMapKey],
  ['portName', checkPortName],
  ['finalizer', checkQualifiedName],
]);

export const names = runnerOf<NameVector>(({ input, expectedValid }) => {
  const valid = Object.keys(expectedValid).map((rule) => {
    const check = CHECKS.get(rule);
    if (check === undefined) throw new Error(`There is no rule of names called ${rule}.`);
    return [rule, check(input).length === 0] as const;
  });
  expect(Object.fromEntries(valid)).toEqual(expectedValid);
});
