import { describe, expect, it } from '@jest/globals';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { FieldSet } from '../fields/field-set.ts';
import { createFieldSetReader } from './field-set-reader.ts';

const raw = (text: string) => new RawJson(Buffer.from(text, 'utf8'));
const setOf = (names: readonly string[]) => raw(`{${names.map((name) => `"f:${name}":{}`).join(',')}}`);

describe('createFieldSetReader', () => {
  it('gives the same set for the same bytes', () => {
    const read = createFieldSetReader();
    const first = read(setOf(['a', 'b']));
    expect([...(first?.paths() ?? [])]).toEqual([['f:a'], ['f:b']]);
    expect(read(setOf(['a', 'b']))).toBe(first);
  });

  it('tells sets apart whose texts are as long', () => {
    const read = createFieldSetReader();
    expect(read(setOf(['é']))?.equals(read(setOf(['è'])) ?? FieldSet.empty)).toBe(false);
  });

  it('says every time that a set cannot be read', () => {
    const read = createFieldSetReader();
    expect([read(raw('[]')), read(raw('[]'))]).toEqual([undefined, undefined]);
  });

  it('forgets sets when others come, and remembers no large ones', () => {
    const read = createFieldSetReader();
    const first = read(setOf(['a']));
    for (let other = 0; other < 100; other++) read(setOf([`other-${other}`]));
    expect(read(setOf(['a']))).not.toBe(first);
    const large = setOf(Array.from({ length: 1000 }, (_, index) => `field-${index}`));
    expect(read(large)).not.toBe(read(large));
    expect(read(large)?.size).toBe(1000);
  });
});
