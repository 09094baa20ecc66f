import { describe, expect, it } from '@jest/globals';
import {
  checkAsPrefix,
  checkConfigMapKey,
  checkDnsLabel,
  checkDnsLabel1035,
  checkDnsSubdomain,
  checkDnsSubdomainCaseless,
  checkEnvVarName,
  checkHttpHeaderName,
  checkLabelValue,
  checkPathSegment,
  checkPortName,
  checkQualifiedName,
  checkRelaxedEnvVarName,
  type NameCheck,
} from './names.ts';

const CHECKS: Readonly<Record<string, NameCheck>> = {
  dns1123Label: checkDnsLabel,
  dns1123Subdomain: checkDnsSubdomain,
  dns1035Label: checkDnsLabel1035,
  qualifiedName: checkQualifiedName,
  labelValue: checkLabelValue,
  pathSegmentName: checkPathSegment,
  generateNameSubdomain: checkAsPrefix(checkDnsSubdomain),
  generateNameLabel: checkAsPrefix(checkDnsLabel),
  dns1123SubdomainCaseless: checkDnsSubdomainCaseless,
  envVarName: checkEnvVarName,
  relaxedEnvVarName: checkRelaxedEnvVarName,
  configMapKey: checkConfigMapKey,
  portName: checkPortName,
  finalizer: checkQualifiedName,
};

describe('names', () => {
  it('have the error messages of Kubernetes', () => {
    expect(checkDnsSubdomain('A')).toEqual([
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ]);
    expect(checkDnsLabel('a.b')).toEqual(['must not contain dots']);
    expect(checkQualifiedName('/a')).toEqual(['prefix part must be non-empty']);
    expect(checkDnsLabel('x'.repeat(64))).toEqual(['must be no more than 63 characters']);
    expect(checkDnsSubdomain('x'.repeat(254))).toEqual(['must be no more than 253 characters']);
    expect(checkLabelValue('x'.repeat(64))).toEqual(['must be no more than 63 bytes']);
    expect(checkQualifiedName(`${'x'.repeat(254)}/${'y'.repeat(64)}`)).toEqual([
      'prefix part must be no more than 253 bytes',
      'name part must be no more than 63 bytes',
    ]);
    expect(checkRelaxedEnvVarName('a=b')).toEqual([
      "a valid environment variable name must consist only of printable ASCII characters other than '='",
    ]);
    expect(checkRelaxedEnvVarName('')).toEqual(['environment variable name must be non-empty']);
    expect(checkConfigMapKey('..a')).toEqual(["must not start with '..'"]);
    expect(checkConfigMapKey('..')).toEqual(["must not be '..'"]);
    expect(checkPortName('-A--')).toEqual([
      'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'must contain at least one letter (a-z)',
      'must not contain consecutive hyphens',
      'must not begin or end with a hyphen',
    ]);
    expect(checkPortName('a'.repeat(16))).toEqual(['must be no more than 15 characters']);
    expect(checkHttpHeaderName('X_Y')).toHaveLength(1);
    expect(checkHttpHeaderName('X-Y')).toEqual([]);
  });

  it('of path segments must not contain NUL, which request paths cannot contain', () => {
    expect(checkPathSegment('a\0')).toEqual(["may not contain '\\x00'"]);
  });

  it('are checked in linear time', () => {
    const hostile = `${'a-'.repeat(200_000)}!`;
    const started = performance.now();
    for (const check of Object.values(CHECKS)) check(hostile);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
