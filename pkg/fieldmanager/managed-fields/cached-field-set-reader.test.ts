import { describe, expect, it } from '@jest/globals';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { createCachedFieldSetReader } from './cached-field-set-reader.ts';

const raw = (text: string) => new RawJson(Buffer.from(text, 'utf8'));
const setOf = (names: readonly string[]) => raw(`{${names.map((name) => `"f:${name}":{}`).join(',')}}`);

describe('createCachedFieldSetReader', () => {
  it('returns the same set for the same bytes', () => {
    const read = createCachedFieldSetReader();
    const first = read(setOf(['a', 'b']));
    expect([...(first?.paths() ?? [])]).toEqual([['f:a'], ['f:b']]);
    expect(read(setOf(['a', 'b']))).toBe(first);
  });

  it('distinguishes sets of the same length', () => {
    const read = createCachedFieldSetReader();
    expect(read(setOf(['é']))?.equals(read(setOf(['è'])) ?? FieldSet.empty)).toBe(false);
  });

  it('does not cache failures', () => {
    const read = createCachedFieldSetReader();
    expect([read(raw('[]')), read(raw('[]'))]).toEqual([undefined, undefined]);
  });

  it('evicts sets, and does not cache large ones', () => {
    const read = createCachedFieldSetReader();
    const first = read(setOf(['a']));
    for (let other = 0; other < 100; other++) read(setOf([`other-${other}`]));
    expect(read(setOf(['a']))).not.toBe(first);
    const large = setOf(Array.from({ length: 1000 }, (_, index) => `field-${index}`));
    expect(read(large)).not.toBe(read(large));
    expect(read(large)?.size).toBe(1000);
  });
});
