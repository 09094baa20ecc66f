import { describe, expect, it } from '@jest/globals';
import { MERGE_SHAPE } from '../../../test/support/merge-shape.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { writeFieldsV1 } from '../fieldpath/fields-v1.ts';
import { toFieldSet } from './paths-below.ts';

const fieldsOf = (value: JsonObject): unknown => JSON.parse(writeFieldsV1(toFieldSet(MERGE_SHAPE, value)).bytes.toString());

describe('toFieldSet', () => {
  it.each<[what: string, value: JsonObject, fields: unknown]>([
    ['scalars', { name: 'a', count: 1, share: '5%' }, { 'f:name': {}, 'f:count': {}, 'f:share': {} }],
    ['null', { name: null, struct: null, map: null, set: null }, { 'f:name': {}, 'f:struct': {}, 'f:map': {}, 'f:set': {} }],
    ['fields of structs, not the structs', { struct: { inner: { a: 'x' } } }, { 'f:struct': { 'f:inner': { 'f:a': {} } } }],
    ['empty structs and maps', { struct: { inner: {} }, map: {} }, { 'f:struct': { 'f:inner': {} }, 'f:map': {} }],
    ['no empty lists', { set: [], ports: [] }, {}],
    ['empty atomic lists', { atomicList: [] }, { 'f:atomicList': {} }],
    ['atomic structs and maps, whole', { atomicStruct: { a: 'x' }, atomicMap: { a: 'x' } }, { 'f:atomicStruct': {}, 'f:atomicMap': {} }],
    ['atomic lists, whole', { atomicList: [{ a: 'x' }] }, { 'f:atomicList': {} }],
    ['structs that their field makes atomic', { structMadeAtomic: { a: 'x' } }, { 'f:structMadeAtomic': {} }],
    ['structs that their field makes granular', { structMadeGranular: { a: 'x' } }, { 'f:structMadeGranular': { 'f:a': {} } }],
    ['members of maps', { map: { a: 'x', constructor: 'y' } }, { 'f:map': { 'f:a': {}, 'f:constructor': {} } }],
    [
      'members of maps beside what is in them',
      { mapOfStructs: { k: { a: 'x' }, empty: {} } },
      { 'f:mapOfStructs': { 'f:k': { '.': {}, 'f:a': {} }, 'f:empty': {} } },
    ],
    ['values of sets', { set: ['a', 'b'] }, { 'f:set': { 'v:"a"': {}, 'v:"b"': {} } }],
    [
      'elements by their keys, and what is in them',
      { servers: [{ zone: 'z', id: 'i', note: 'n' }] },
      { 'f:servers': { 'k:{"id":"i","zone":"z"}': { '.': {}, 'f:id': {}, 'f:zone': {}, 'f:note': {} } } },
    ],
    [
      'elements whose key has a default, without owning that',
      { ports: [{ port: 80 }] },
      { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
    ],
    ['items that lack a key, by the others', { servers: [{ id: 'i' }] }, { 'f:servers': { 'k:{"id":"i"}': { '.': {}, 'f:id': {} } } }],
    ['a null key', { servers: [{ id: null }] }, { 'f:servers': { 'k:{"id":null}': { '.': {}, 'f:id': {} } } }],
    [
      'elements with one owner, whole',
      { owners: [{ a: 'x', b: 'y' }, { b: 'z' }] },
      { 'f:owners': { 'k:{"a":"x"}': {}, 'k:{"a":""}': {} } },
    ],
    [
      'nothing below elements that come twice',
      { ports: [{ port: 80 }, { port: 81 }, { port: 80, note: 'n' }, { port: 80 }], set: ['a', 'a'] },
      {
        'f:ports': { 'k:{"port":80,"protocol":"TCP"}': {}, 'k:{"port":81,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
        'f:set': { 'v:"a"': {} },
      },
    ],
    ['raw values whole', { raw: new RawJson(Buffer.from('{"a":[1]}')) }, { 'f:raw': {} }],
    ['nothing for absent values', { name: undefined, struct: { inner: { a: undefined } } }, { 'f:struct': { 'f:inner': {} } }],
  ])('owns %s', (_, value, fields) => {
    expect(fieldsOf(value)).toEqual(fields);
  });

  it('accepts members of any name', () => {
    const value = JSON.parse('{"map":{"__proto__":"x"}}') as JsonObject;
    expect(writeFieldsV1(toFieldSet(MERGE_SHAPE, value)).bytes.toString()).toBe('{"f:map":{"f:__proto__":{}}}');
  });
});
