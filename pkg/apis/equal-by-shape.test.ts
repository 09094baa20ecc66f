import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../apimachinery/json/json-value.ts';
import { RawJson } from '../apimachinery/json/raw-json.ts';
import { equalByShape } from './equal-by-shape.ts';
import type { FieldShape, ObjectShape, TypeShape } from './type-shape.ts';

const field = (name: string, type: TypeShape, pointer = false): FieldShape => ({ name, type, omit: 'empty', pointer });
const inner: ObjectShape = { shape: 'object', name: 'Inner', fields: [field('text', { shape: 'string' })] };
const shape: ObjectShape = {
  shape: 'object',
  name: 'Outer',
  fields: [
    field('count', { shape: 'int64' }),
    field('limit', { shape: 'int32' }, true),
    field('list', { shape: 'array', items: inner }),
    field('map', { shape: 'map', values: { shape: 'string' } }),
    field('struct', inner),
    field('choice', inner, true),
    field('raw', { shape: 'raw' }),
    field('tree', { shape: 'fields-v1' }),
    field('amount', { shape: 'quantity' }),
    field('most', { shape: 'quantity' }, true),
  ],
};
const raw = (text: string): JsonValue => new RawJson(Buffer.from(text));

describe('equalByShape', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['absent and zero', {}, { count: 0, list: [], map: {}, struct: { text: '' } }],
    ['absent and null', {}, { limit: null, list: null, choice: null }],
    ['another order of keys', { map: { a: '1', b: '2' } }, { map: { b: '2', a: '1' } }],
    ['a field that the type does not have', {}, { unknown: 1 }],
    ['the same raw bytes', { raw: raw('{"a":1}') }, { raw: raw('{"a":1}') }],
    ['large integers', { count: 9007199254740993n }, { count: 9007199254740993n }],
    ['trees', { tree: { 'f:a': { 'f:b': {} } } }, { tree: { 'f:a': { 'f:b': {} } } }],
    ['another way to write an amount', { amount: '1Ki' }, { amount: '1024' }],
    ['no amount and none', {}, { amount: '0' }],
  ])('takes no notice of %s', (_what, left, right) => {
    expect(equalByShape(shape, left, right)).toBe(true);
    expect(equalByShape(shape, right, left)).toBe(true);
  });

  it.each<[string, JsonValue, JsonValue]>([
    ['a pointer to zero from no pointer', {}, { limit: 0 }],
    ['a pointer to an empty struct from no pointer', {}, { choice: {} }],
    ['values', { count: 1 }, { count: 2 }],
    ['integers that are one double', { count: 9007199254740993n }, { count: 9007199254740992 }],
    ['lists in another order', { list: [{ text: 'a' }, { text: 'b' }] }, { list: [{ text: 'b' }, { text: 'a' }] }],
    ['a map key with an empty value from none', { map: { a: '' } }, { map: {} }],
    ['keys of a map', { map: { a: '1' } }, { map: { b: '1' } }],
    ['raw bytes', { raw: raw('{"a":1}') }, { raw: raw('{"a":1.0}') }],
    ['trees', { tree: { 'f:a': {} } }, { tree: { 'f:b': {} } }],
    ['amounts', { amount: '1Ki' }, { amount: '1k' }],
    ['an amount from none', {}, { amount: '1' }],
    ['a pointer to no amount from no pointer', {}, { most: '0' }],
  ])('tells %s', (_what, left, right) => {
    expect(equalByShape(shape, left, right)).toBe(false);
    expect(equalByShape(shape, right, left)).toBe(false);
  });
});
