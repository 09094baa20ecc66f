import { describe, expect, it } from '@jest/globals';
import { MERGE_SHAPE } from '../../../test/support/merge-shape.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import { merge } from './merge.ts';

const raw = (text: string) => new RawJson(Buffer.from(text));

describe('merge', () => {
  it.each<[what: string, live: JsonObject, config: JsonObject, merged: JsonObject]>([
    ['sets the values of the configuration', { name: 'a', count: 1 }, { name: 'b', share: 2 }, { name: 'b', count: 1, share: 2 }],
    [
      'keeps values that the configuration does not set',
      { struct: { inner: { a: 'x' } } },
      { struct: { inner: { b: 'y' } } },
      { struct: { inner: { a: 'x', b: 'y' } } },
    ],
    ['sets a scalar to null', { name: 'a' }, { name: null }, { name: null }],
    ['sets an atomic value to null', { atomicMap: { a: 'x' } }, { atomicMap: null }, { atomicMap: null }],
    [
      'keeps members and items where the configuration has null',
      { map: { a: 'x' }, set: ['a'] },
      { map: null, set: null },
      { map: { a: 'x' }, set: ['a'] },
    ],
    [
      'keeps members and items where the configuration is empty',
      { map: { a: 'x' }, set: ['a'] },
      { map: {}, set: [] },
      { map: { a: 'x' }, set: ['a'] },
    ],
    ['distinguishes null from empty', { map: {}, set: null }, { map: null, set: [] }, { map: null, set: [] }],
    [
      'takes the configuration where live is null',
      { struct: null, set: null },
      { struct: { text: 'a' }, set: ['b'] },
      { struct: { text: 'a' }, set: ['b'] },
    ],
    [
      'replaces atomic values',
      { atomicStruct: { a: 'x' }, atomicList: [{ a: 'x' }] },
      { atomicStruct: { b: 'y' }, atomicList: [] },
      { atomicStruct: { b: 'y' }, atomicList: [] },
    ],
    [
      'respects the granularity that a field sets for its struct',
      { structMadeAtomic: { a: 'x' }, structMadeGranular: { a: 'x' } },
      { structMadeAtomic: { b: 'y' }, structMadeGranular: { b: 'y' } },
      { structMadeAtomic: { b: 'y' }, structMadeGranular: { a: 'x', b: 'y' } },
    ],
    ['merges maps', { map: { a: '1', b: '2' } }, { map: { b: '3', c: '4' } }, { map: { a: '1', b: '3', c: '4' } }],
    ['merges sets', { set: ['a', 'b'] }, { set: ['c', 'b'] }, { set: ['a', 'c', 'b'] }],
    [
      'merges elements by their keys',
      { ports: [{ port: 80, note: 'a' }, { port: 81 }] },
      { ports: [{ port: 80, protocol: 'TCP', flags: ['f'] }] },
      { ports: [{ port: 80, note: 'a', protocol: 'TCP', flags: ['f'] }, { port: 81 }] },
    ],
    ['replaces atomic items', { owners: [{ a: 'x', b: 'y' }] }, { owners: [{ a: 'x' }] }, { owners: [{ a: 'x' }] }],
    ['compares numbers by value', { count: 1 }, { count: 9007199254740993n }, { count: 9007199254740993n }],
  ])('%s', (_, live, config, merged) => {
    expect(merge(MERGE_SHAPE, live, config)).toEqual(merged);
  });

  // The expected order is that of structured-merge-diff 6.3.
  it.each<[what: string, live: string, config: string, merged: string]>([
    ['shared ones in the order of the configuration', 'a b c', 'c b a', 'c b a'],
    ['live ones in their place among shared ones', 'a x b y', 'a b', 'a x b y'],
    ['live ones before those of the configuration', 'x', 'a', 'x a'],
    ['new ones after the shared one before them', 'a b', 'a n b', 'a n b'],
    ['live ones before shared ones that moved', 'a x b', 'b a', 'x b a'],
    ['both at the end', 'a x', 'a n', 'a x n'],
  ])('orders list items: %s', (_, live, config, merged) => {
    const list = (text: string) => text.split(' ');
    const servers = (text: string) => list(text).map((id) => ({ id }));
    expect(merge(MERGE_SHAPE, { set: list(live) }, { set: list(config) })).toEqual({ set: list(merged) });
    expect(merge(MERGE_SHAPE, { servers: servers(live) }, { servers: servers(config) })).toEqual({ servers: servers(merged) });
  });

  it('keeps unknown duplicates, and replaces those that the configuration has', () => {
    const ports = [{ port: 80, note: 'first' }, { port: 81 }, { port: 80, note: 'second' }];
    expect(merge(MERGE_SHAPE, { ports }, { ports: [{ port: 82 }] })).toEqual({ ports: [...ports, { port: 82 }] });
    expect(merge(MERGE_SHAPE, { ports }, { ports: [{ port: 80, flags: ['f'] }] })).toEqual({
      ports: [{ port: 80, flags: ['f'] }, { port: 81 }],
    });
    expect(merge(MERGE_SHAPE, { set: ['a', 'b', 'a', 'x'] }, { set: ['a', 'c'] })).toEqual({ set: ['a', 'b', 'c', 'x'] });
  });

  it('returns the same object if nothing changes, and shares unchanged values', () => {
    const live = {
      name: 'a',
      raw: raw('{"a":1.0}'),
      struct: { inner: { a: 'x' }, text: 'y' },
      ports: [{ port: 80 }, { port: 81 }],
      atomicList: [{ a: 'x' }],
      map: { a: 'x' },
    };
    const same = { raw: { a: 1 }, struct: { inner: { a: 'x' } }, ports: [{ port: 81 }], atomicList: [{ a: 'x' }], map: { a: 'x' } };
    expect(merge(MERGE_SHAPE, live, same)).toBe(live);
    const merged = merge(MERGE_SHAPE, live, { struct: { text: 'z' }, ports: [{ port: 81, note: 'n' }] });
    expect((merged['struct'] as JsonObject)['inner']).toBe(live.struct.inner);
    expect((merged['ports'] as readonly JsonValue[])[0]).toBe(live.ports[0]);
    expect(merged['raw']).toBe(live.raw);
    expect(live.struct.text).toBe('y');
  });

  it('compares raw values by their spelling', () => {
    expect(writeJson(merge(MERGE_SHAPE, { raw: raw('1') }, { raw: raw('1.0') }))).toBe('{"raw":1.0}');
  });

  it('accepts members of any name', () => {
    const live = JSON.parse('{"map":{"__proto__":"x","a":"b"}}') as JsonObject;
    const config = JSON.parse('{"map":{"__proto__":"y","constructor":"z"}}') as JsonObject;
    expect(writeJson(merge(MERGE_SHAPE, live, config))).toBe('{"map":{"__proto__":"y","a":"b","constructor":"z"}}');
    expect(writeJson(merge(MERGE_SHAPE, { map: {} }, live))).toBe(writeJson(live));
  });
});
