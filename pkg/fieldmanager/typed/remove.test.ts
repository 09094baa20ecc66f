import { describe, expect, it } from '@jest/globals';
import { MERGE_SHAPE } from '../../../test/support/merge-shape.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import { FieldSet } from '../fields/field-set.ts';
import { parseFieldsV1 } from '../fields/fields-v1.ts';
import { removeItems } from './remove.ts';

const setOf = (fields: JsonObject): FieldSet => parseFieldsV1(fields) ?? FieldSet.empty;

describe('removeItems', () => {
  it.each<[what: string, value: JsonObject, set: JsonObject, left: JsonObject]>([
    ['takes members', { name: 'a', count: 1 }, { 'f:name': {} }, { count: 1 }],
    ['takes members with all that is in them', { struct: { inner: { a: 'x' } }, name: 'a' }, { 'f:struct': {} }, { name: 'a' }],
    [
      'takes members of members',
      { struct: { inner: { a: 'x', b: 'y' } } },
      { 'f:struct': { 'f:inner': { 'f:a': {} } } },
      { struct: { inner: { b: 'y' } } },
    ],
    ['takes a member rather than what is below it', { struct: { text: 'a', inner: {} } }, { 'f:struct': { '.': {}, 'f:text': {} } }, {}],
    ['leaves null of what loses its last member', { map: { a: 'x' }, name: 'a' }, { 'f:map': { 'f:a': {} } }, { map: null, name: 'a' }],
    ['leaves null of what loses its last element', { set: ['a'] }, { 'f:set': { 'v:"a"': {} } }, { set: null }],
    ['takes elements by value', { set: ['a', 'b'] }, { 'f:set': { 'v:"a"': {} } }, { set: ['b'] }],
    ['takes every occurrence', { set: ['a', 'b', 'a'] }, { 'f:set': { 'v:"a"': {} } }, { set: ['b'] }],
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
    ['takes what has one owner', { atomicMap: { a: 'x' }, name: 'a' }, { 'f:atomicMap': {} }, { name: 'a' }],
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
    ['leaves scalars alone where it goes below them', { name: 'a' }, { 'f:name': { 'f:x': {} } }, { name: 'a' }],
    ['leaves nothing when all goes', { name: 'a' }, { 'f:name': {} }, {}],
  ])('%s', (_, value, set, left) => {
    expect(removeItems(MERGE_SHAPE, value, setOf(set))).toEqual(left);
  });

  it('gives back the object when there is nothing to take, and shares what stays', () => {
    const object = { struct: { inner: { a: 'x' }, text: 'y' }, ports: [{ port: 80 }, { port: 81 }] };
    expect(removeItems(MERGE_SHAPE, object, FieldSet.empty)).toBe(object);
    const others = setOf({ 'f:name': {}, 'f:struct': { 'f:other': {} }, 'f:ports': { 'k:{"port":9,"protocol":"TCP"}': {} } });
    expect(removeItems(MERGE_SHAPE, object, others)).toBe(object);
    const left = removeItems(MERGE_SHAPE, object, setOf({ 'f:struct': { 'f:text': {} } }));
    expect(left['ports']).toBe(object.ports);
    expect(object.struct.text).toBe('y');
  });

  it('takes members of any name', () => {
    const object = JSON.parse('{"map":{"__proto__":"x","a":"b"},"mapOfStructs":{"__proto__":{"a":"x","b":"y"}}}') as JsonObject;
    const set = setOf({ 'f:map': { 'f:__proto__': {} }, 'f:mapOfStructs': { 'f:__proto__': { 'f:a': {} } } });
    expect(writeJson(removeItems(MERGE_SHAPE, object, set))).toBe('{"map":{"a":"b"},"mapOfStructs":{"__proto__":{"b":"y"}}}');
  });
});
