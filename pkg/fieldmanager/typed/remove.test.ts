import { describe, expect, it } from '@jest/globals';
import { MERGE_SHAPE } from '../../../test/support/merge-shape.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { parseFieldsV1 } from '../fieldpath/fields-v1.ts';
import { removeItems } from './remove.ts';

const setOf = (fields: JsonObject): FieldSet => parseFieldsV1(fields) ?? FieldSet.empty;

describe('removeItems', () => {
  it.each<[what: string, value: JsonObject, set: JsonObject, left: JsonObject]>([
    ['removes members', { name: 'a', count: 1 }, { 'f:name': {} }, { count: 1 }],
    ['removes members with everything below them', { struct: { inner: { a: 'x' } }, name: 'a' }, { 'f:struct': {} }, { name: 'a' }],
    [
      'takes members of members',
      { struct: { inner: { a: 'x', b: 'y' } } },
      { 'f:struct': { 'f:inner': { 'f:a': {} } } },
      { struct: { inner: { b: 'y' } } },
    ],
    [
      'removes a member even if the set also has paths below it',
      { struct: { text: 'a', inner: {} } },
      { 'f:struct': { '.': {}, 'f:text': {} } },
      {},
    ],
    ['replaces a map that becomes empty by null', { map: { a: 'x' }, name: 'a' }, { 'f:map': { 'f:a': {} } }, { map: null, name: 'a' }],
    ['replaces a list that becomes empty by null', { set: ['a'] }, { 'f:set': { 'v:"a"': {} } }, { set: null }],
    ['removes set items', { set: ['a', 'b'] }, { 'f:set': { 'v:"a"': {} } }, { set: ['b'] }],
    ['removes every occurrence', { set: ['a', 'b', 'a'] }, { 'f:set': { 'v:"a"': {} } }, { set: ['b'] }],
    [
      'takes elements by their keys',
      { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] },
      { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': {} } },
      { ports: [{ port: 80, protocol: 'UDP' }] },
    ],
    [
      'takes members of elements',
      { ports: [{ port: 80, note: 'n' }] },
      { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:note': {} } } },
      { ports: [{ port: 80 }] },
    ],
    ['removes atomic values', { atomicMap: { a: 'x' }, name: 'a' }, { 'f:atomicMap': {} }, { name: 'a' }],
    [
      'leaves null where it goes below what has one owner',
      { atomicMap: { a: 'x' }, atomicList: [{ a: 'x' }] },
      { 'f:atomicMap': { 'f:a': {} }, 'f:atomicList': { 'i:0': {} } },
      { atomicMap: null, atomicList: null },
    ],
    [
      'leaves null where it goes below what is empty',
      { map: {}, set: [] },
      { 'f:map': { 'f:a': {} }, 'f:set': { 'v:"a"': {} } },
      { map: null, set: null },
    ],
    ['ignores paths below scalars', { name: 'a' }, { 'f:name': { 'f:x': {} } }, { name: 'a' }],
    ['returns an empty object if nothing remains', { name: 'a' }, { 'f:name': {} }, {}],
  ])('%s', (_, value, set, left) => {
    expect(removeItems(MERGE_SHAPE, value, setOf(set))).toEqual(left);
  });

  it('returns the same object if there is nothing to remove, and shares unchanged values', () => {
    const object = { struct: { inner: { a: 'x' }, text: 'y' }, ports: [{ port: 80 }, { port: 81 }] };
    expect(removeItems(MERGE_SHAPE, object, FieldSet.empty)).toBe(object);
    const others = setOf({ 'f:name': {}, 'f:struct': { 'f:other': {} }, 'f:ports': { 'k:{"port":9,"protocol":"TCP"}': {} } });
    expect(removeItems(MERGE_SHAPE, object, others)).toBe(object);
    const left = removeItems(MERGE_SHAPE, object, setOf({ 'f:struct': { 'f:text': {} } }));
    expect(left['ports']).toBe(object.ports);
    expect(object.struct.text).toBe('y');
  });

  it('accepts members of any name', () => {
    const object = JSON.parse('{"map":{"__proto__":"x","a":"b"},"mapOfStructs":{"__proto__":{"a":"x","b":"y"}}}') as JsonObject;
    const set = setOf({ 'f:map': { 'f:__proto__': {} }, 'f:mapOfStructs': { 'f:__proto__': { 'f:a': {} } } });
    expect(writeJson(removeItems(MERGE_SHAPE, object, set))).toBe('{"map":{"a":"b"},"mapOfStructs":{"__proto__":{"b":"y"}}}');
  });
});
