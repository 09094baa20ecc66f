import { describe, expect, it } from '@jest/globals';
import { hasReliableProgress, endOfLife } from './versions.ts';

describe('versions of etcd', () => {
  it.each([
    ['3.3.27', false],
    ['3.4.23', false],
    ['3.4.30', false],
    ['3.4.31', true],
    ['3.5.12', false],
    ['3.5.13', true],
    ['3.5.30', true],
    ['3.6.0', true],
    ['unknown', false],
  ])('%s answers progress requests rightly: %s', (version, expected) => {
    expect(hasReliableProgress(version)).toBe(expected);
  });

  it('names those past their end of life, and only those', () => {
    expect(endOfLife('3.4.23')).toContain('etcd 3.4.23 is past its end of life');
    expect(endOfLife('3.3.10')).toBeDefined();
    expect([endOfLife('3.5.30'), endOfLife('3.6.1'), endOfLife('unknown')]).toEqual([undefined, undefined, undefined]);
  });
});
