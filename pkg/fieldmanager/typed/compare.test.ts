import { describe, expect, it } from '@jest/globals';
import { MERGE_SHAPE } from '../../../test/support/merge-shape.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { pathText } from '../fieldpath/path-text.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { compare } from './compare.ts';

const raw = (text: string) => new RawJson(Buffer.from(text));
const textOf = (set: FieldSet) => Array.from(set.paths(), pathText).sort();
const differences = (before: JsonObject, after: JsonObject) => {
  const { added, modified, removed } = compare(MERGE_SHAPE, before, after);
  return { added: textOf(added), modified: textOf(modified), removed: textOf(removed) };
};
const none = { added: [], modified: [], removed: [] };

describe('compare', () => {
  it.each<[what: string, before: JsonObject, after: JsonObject]>([
    ['order of members', { name: 'a', map: { x: '1', y: '2' } }, { map: { y: '2', x: '1' }, name: 'a' }],
    ['order of a set', { set: ['a', 'b'] }, { set: ['b', 'a'] }],
    ['order of a list with keys', { servers: [{ id: 'a' }, { id: 'b' }] }, { servers: [{ id: 'b' }, { id: 'a' }] }],
    ['the position of duplicates', { set: ['a', 'b', 'a'] }, { set: ['a', 'a', 'b'] }],
    ['members that are undefined', { name: 'a', map: { x: undefined } }, { name: 'a', count: undefined, map: {} }],
    ['equal raw values', { raw: raw('{"a":1.0}') }, { raw: raw('{"a":1.0}') }],
    ['a raw value and its decoded form', { raw: raw('{"a":[1.0,"x"]}') }, { raw: { a: [1, 'x'] } }],
    ['large integers', { count: 9223372036854775807n }, { count: 9223372036854775807n }],
    ['empty lists', { set: [] }, { set: [] }],
    ['shared values', { struct: { inner: { a: 'x' } } }, { struct: { inner: { a: 'x' } } }],
  ])('finds no difference in %s', (_, before, after) => {
    expect(differences(before, after)).toEqual(none);
    expect(differences(after, before)).toEqual(none);
  });

  it.each<[what: string, before: JsonObject, after: JsonObject, modified: readonly string[]]>([
    ['scalars', { name: 'a', count: 1, share: 1 }, { name: 'b', count: 1n << 60n, share: '1' }, ['.count', '.name', '.share']],
    ['null and a value', { name: null }, { name: '' }, ['.name']],
    ['members of structs', { struct: { inner: { a: 'x', b: 'y' } } }, { struct: { inner: { a: 'z', b: 'y' } } }, ['.struct.inner.a']],
    ['atomic values, whole', { atomicStruct: { a: 'x' } }, { atomicStruct: { a: 'x', b: 'y' } }, ['.atomicStruct']],
    ['the order of atomic lists', { atomicList: [{ a: 'x' }, { a: 'y' }] }, { atomicList: [{ a: 'y' }, { a: 'x' }] }, ['.atomicList']],
    ['null inside atomic values, unlike absence', { atomicMap: { a: null } }, { atomicMap: {} }, ['.atomicMap']],
    ['as many members with other names', { atomicMap: { a: 'x' } }, { atomicMap: { toString: 'x' } }, ['.atomicMap']],
    ['the spelling of raw values', { raw: raw('{"a":1.0}') }, { raw: raw('{"a":1}') }, ['.raw']],
    ['null and empty values', { map: null, set: [], struct: {} }, { map: {}, set: null, struct: null }, ['.map', '.set', '.struct']],
    [
      'elements by their keys',
      {
        ports: [
          { port: 80, note: 'a' },
          { port: 80, protocol: 'UDP', note: 'a' },
        ],
      },
      {
        ports: [
          { port: 80, protocol: 'UDP', note: 'b' },
          { port: 80, note: 'a' },
        ],
      },
      ['.ports[port=80,protocol="UDP"].note'],
    ],
    [
      'duplicate items as one',
      { ports: [{ port: 80 }, { port: 80, note: 'a' }] },
      { ports: [{ port: 80 }, { port: 80, note: 'b' }, { port: 80 }] },
      ['.ports[port=80,protocol="TCP"]'],
    ],
  ])('reports modified %s', (_, before, after, modified) => {
    expect(differences(before, after)).toEqual({ ...none, modified });
    expect(differences(after, before)).toEqual({ ...none, modified });
  });

  it.each<[what: string, less: JsonObject, more: JsonObject, paths: readonly string[]]>([
    ['scalars', {}, { name: 'a' }, ['.name']],
    ['null', {}, { name: null, map: null }, ['.map', '.name']],
    ['structs and everything in them', {}, { struct: { inner: { a: 'x' } } }, ['.struct', '.struct.inner', '.struct.inner.a']],
    ['empty structs, maps and lists', {}, { struct: {}, map: {}, set: [] }, ['.map', '.set', '.struct']],
    ['atomic values, whole', {}, { atomicStruct: { a: 'x' }, atomicList: [{ a: 'x' }] }, ['.atomicList', '.atomicStruct']],
    ['members of an empty map', { map: {} }, { map: { a: 'x' } }, ['.map.a']],
    ['members of a null map', { map: null, set: null }, { map: { a: 'x' }, set: ['b'] }, ['.map.a', '.set[="b"]']],
    [
      'items and everything in them',
      { ports: [{ port: 80 }] },
      { ports: [{ port: 80 }, { port: 81, flags: ['f'] }] },
      [
        '.ports[port=81,protocol="TCP"]',
        '.ports[port=81,protocol="TCP"].flags',
        '.ports[port=81,protocol="TCP"].flags[="f"]',
        '.ports[port=81,protocol="TCP"].port',
      ],
    ],
    ['duplicate items without their fields', {}, { ports: [{ port: 80 }, { port: 80 }] }, ['.ports', '.ports[port=80,protocol="TCP"]']],
  ])('reports added and removed %s', (_, less, more, paths) => {
    expect(differences(less, more)).toEqual({ ...none, added: paths });
    expect(differences(more, less)).toEqual({ ...none, removed: paths });
  });

  it('treats an element that becomes a duplicate as another one', () => {
    const one = { servers: [{ id: 'a' }] };
    const two = { servers: [{ id: 'a' }, { id: 'a' }] };
    expect(differences(one, two)).toEqual({
      added: ['.servers[id="a"]'],
      modified: [],
      removed: ['.servers[id="a"]', '.servers[id="a"].id'],
    });
    expect(differences(two, one)).toEqual({
      added: ['.servers[id="a"]', '.servers[id="a"].id'],
      modified: [],
      removed: ['.servers[id="a"]'],
    });
  });

  it('distinguishes map keys from members of Object.prototype', () => {
    const evil = JSON.parse('{"map":{"__proto__":"x","constructor":"y"}}') as JsonObject;
    expect(differences({ map: {} }, evil)).toEqual({ ...none, added: ['.map.__proto__', '.map.constructor'] });
    expect(differences(evil, { map: { a: 'b' } })).toEqual({
      added: ['.map.a'],
      modified: [],
      removed: ['.map.__proto__', '.map.constructor'],
    });
  });

  it('does not descend into shared parts', () => {
    const shared: JsonObject = {
      get a(): string {
        throw new Error('looked into');
      },
    };
    expect(differences({ struct: { inner: shared, text: 'a' } }, { struct: { inner: shared, text: 'b' } })).toEqual({
      ...none,
      modified: ['.struct.text'],
    });
  });
});
