import { describe, expect, it } from '@jest/globals';
import { MERGE_SHAPE } from '../../../test/support/merge-shape.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { validate } from './validate.ts';

const errorsOf = (value: JsonValue, allowDuplicates = false) =>
  validate(MERGE_SHAPE, value, { allowDuplicates }).map(({ path, message }) => `${path}: ${message}`);

describe('validate', () => {
  it.each<[what: string, value: JsonValue, error: string]>([
    ['an unknown field', { struct: { inner: { c: 'x' } } }, '.struct.inner.c: field not declared in schema'],
    ['an unknown field that is null', { unknown: null }, '.unknown: field not declared in schema'],
    ['a list for an object', [], ': expected map, got a list'],
    ['a text for a struct', { struct: 'x' }, '.struct: expected map, got "x"'],
    ['a list for a map', { map: ['x'] }, '.map: expected map, got a list'],
    ['a map for a list', { set: { a: 'x' } }, '.set: expected list, got a map'],
    ['a number for a text', { name: 5 }, '.name: expected string, got 5'],
    ['a text for a number', { count: '5' }, '.count: expected numeric (int or float), got "5"'],
    ['a map for a scalar of any type', { share: {} }, '.share: expected any scalar, got a map'],
    ['a wrong type inside an atomic value', { atomicList: [{ a: 'x' }, { a: 1 }] }, '.atomicList[1].a: expected string, got 1'],
    ['a wrong type in a map', { map: { k: true } }, '.map.k: expected string, got true'],
    ['a wrong type in an element', { ports: [{ port: 80, note: 1 }] }, '.ports[port=80,protocol="TCP"].note: expected string, got 1'],
    ['a repeated value', { set: ['a', 'b', 'a'] }, '.set: duplicate entries for key [="a"]'],
    [
      'repeated keys',
      { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] },
      '.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    ['null in a set', { set: [null] }, '.set: element 0: a set must not contain null'],
    ['an object in a set', { set: [{}] }, '.set: element 0: a set must not contain objects'],
    ['a list in a set', { set: [[]] }, '.set: element 0: a set must not contain lists'],
    ['null in a list with keys', { ports: [{ port: 80 }, null] }, '.ports: element 1: a list with keys must not contain null'],
    ['a text in a list with keys', { ports: ['x'] }, '.ports: element 0: a list with keys must contain only objects'],
    [
      'an element without any key',
      { servers: [{ note: 'n' }] },
      '.servers: element 0: an element has none of the keys of its list: id, zone',
    ],
  ])('rejects %s', (_, value, error) => {
    expect(errorsOf(value)).toEqual([error]);
  });

  it.each<[what: string, value: JsonObject]>([
    [
      'null anywhere else',
      { name: null, struct: null, map: { a: null }, set: null, atomicList: [null], ports: [{ port: 80, note: null }] },
    ],
    ['fractions and large integers', { count: 1.5, ports: [{ port: 9223372036854775807n }] }],
    ['any scalar where the type has several', { share: true }],
    ['raw values', { raw: new RawJson(Buffer.from('[1]')) }],
    ['any JSON for a raw value', { raw: [{ a: null }] }],
    ['an element with one of its keys', { servers: [{ id: 'a' }, { zone: 'a' }, { id: 'a', zone: 'a' }, { id: null }] }],
    ['keys that differ only by a default', { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] }],
  ])('accepts %s', (_, value) => {
    expect(errorsOf(value)).toEqual([]);
  });

  it('accepts duplicates where they are allowed, and no other error', () => {
    expect(errorsOf({ set: ['a', 'a'], ports: [{ port: 80 }, { port: 80 }] }, true)).toEqual([]);
    expect(errorsOf({ servers: [{}] }, true)).toHaveLength(1);
  });

  it('stops at 100 errors', () => {
    expect(errorsOf({ set: Array<null>(1000).fill(null), atomicList: Array<JsonValue>(1000).fill(1) })).toHaveLength(100);
  });

  it('shortens values in messages', () => {
    expect(errorsOf({ count: 'x'.repeat(10_000) })[0]?.length).toBeLessThan(200);
  });
});
