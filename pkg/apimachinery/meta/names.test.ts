import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  checkAsPrefix,
  checkDnsLabel,
  checkDnsLabel1035,
  checkDnsSubdomain,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  type NameCheck,
} from './names.ts';

interface NameVector {
  readonly name: string;
  readonly input: string;
  readonly expectedValid: Readonly<Record<string, boolean>>;
}

const CHECKS: Readonly<Record<string, NameCheck>> = {
  dns1123Label: checkDnsLabel,
  dns1123Subdomain: checkDnsSubdomain,
  dns1035Label: checkDnsLabel1035,
  qualifiedName: checkQualifiedName,
  labelValue: checkLabelValue,
  pathSegmentName: checkPathSegment,
  generateNameSubdomain: checkAsPrefix(checkDnsSubdomain),
  generateNameLabel: checkAsPrefix(checkDnsLabel),
};

const vectors = JSON.parse(readFileSync(new URL('../../../test/vectors/names.json', import.meta.url), 'utf8')) as readonly NameVector[];

describe('names', () => {
  for (const { name, input, expectedValid } of vectors) {
    it(name.slice(0, 60), () => {
      for (const [rule, check] of Object.entries(CHECKS)) {
        expect({ rule, isValid: check(input).length === 0 }).toEqual({ rule, isValid: expectedValid[rule] });
      }
    });
  }

  it('are explained in the words that clients know', () => {
    expect(checkDnsSubdomain('A')).toEqual([
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ]);
    expect(checkDnsLabel('a.b')).toEqual(['must not contain dots']);
    expect(checkQualifiedName('/a')).toEqual(['prefix part must be non-empty']);
    expect(checkLabelValue('x'.repeat(64))).toEqual(['must be no more than 63 bytes']);
  });

  it('are checked in linear time', () => {
    const hostile = `${'a-'.repeat(200_000)}!`;
    const started = performance.now();
    for (const check of Object.values(CHECKS)) check(hostile);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
