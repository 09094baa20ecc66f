import { describe, expect, it } from '@jest/globals';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';
import { FieldSet } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';
import { capUpdateOwners } from './cap-update-owners.ts';
import {
  decodeSentManagedFields,
  decodeStoredManagedFields,
  isResetOfManagedFields,
  managedFieldsToStartFrom,
} from './decode-managed-fields.ts';
import { encodeManagedFields } from './encode-managed-fields.ts';
import { type ManagedFields, NO_MANAGED_FIELDS, ownerIdentity } from './field-owner.ts';
import { withoutNeverOwned } from './never-owned.ts';
import { differOnlyInTimes } from './unchanged-times.ts';

const raw = (text: string): RawJson => new RawJson(Buffer.from(text, 'utf8'));
const fields = (...names: readonly string[]): FieldSet => FieldSet.of(...names.map((name) => name.split('.').map(fieldElement)));
const at = (second: number): string => `2024-01-01T00:00:${String(second).padStart(2, '0')}Z`;
const entry = (manager: string, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'batch/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: raw('{"f:spec":{"f:suspend":{}}}'),
  ...more,
});
const decoded = (entries: readonly ManagedFieldsEntry[]): ManagedFields => {
  const owners = decodeStoredManagedFields(entries);
  if (owners === undefined) throw new Error('not readable');
  return owners;
};
/** Manager, version, time and fields of each entry. */
const shown = (owners: ManagedFields): readonly string[] =>
  (encodeManagedFields(owners) ?? []).map(
    ({ manager, apiVersion, time, fieldsV1 }) =>
      `${manager} ${apiVersion} ${time} ${fieldsV1 instanceof RawJson ? fieldsV1.bytes.toString() : ''}`,
  );

describe('managedFields that are read', () => {
  it('have an owner for each manager, operation, subresource and, but for applies, version', () => {
    const all = [
      entry('a'),
      entry('b'),
      entry('a', { subresource: 'status' }),
      entry('a', { apiVersion: 'v2' }),
      entry('a', { operation: 'Apply' }),
    ];
    const owners = decoded([...all, entry('a', { operation: 'Apply', apiVersion: 'v2', time: at(1) })]);
    expect(owners.size).toBe(all.length);
    expect(owners.get(ownerIdentity({ manager: 'a', operation: 'Apply', apiVersion: 'any', subresource: '' }))).toMatchObject({
      apiVersion: 'v2',
      time: at(1),
    });
  });

  it('own nothing where fieldsV1 is absent', () => {
    const { fieldsV1: _, ...without } = entry('a');
    expect([...decoded([without]).values()].map(({ set }) => set)).toEqual([FieldSet.empty]);
  });

  it.each([
    ['no operation', { operation: '' }],
    ['an unknown operation', { operation: 'Delete' }],
    ['no version', { apiVersion: '' }],
    ['no type', { fieldsType: '' }],
    ['an unknown type', { fieldsType: 'FieldsV2' }],
    ['fields that are none', { fieldsV1: raw('{"spec":{}}') }],
    ['fields nested too deeply', { fieldsV1: raw(`${'{"f:a":'.repeat(300)}{}${'}'.repeat(300)}`) }],
  ])('are spoiled by an entry with %s', (_, more) => {
    expect(decodeSentManagedFields([entry('a'), entry('b', more)], NO_MANAGED_FIELDS)).toBeUndefined();
  });

  it('are not parsed while they are only carried along', () => {
    // What is stored is trusted: a set that could not be read shows that nobody tried.
    const stored = [entry('a', { fieldsV1: raw('{"not":"read"}') })];
    expect(encodeManagedFields(decoded(stored))).toEqual(stored);
    const sent = decodeSentManagedFields([entry('a', { fieldsV1: raw('{"not":"read"}'), time: at(3) })], decoded(stored));
    expect(encodeManagedFields(sent ?? NO_MANAGED_FIELDS)).toEqual([{ ...stored[0], time: at(3) }]);
  });

  it('own nothing where what is stored cannot be read', () => {
    expect([...decoded([entry('a', { fieldsV1: raw(`{"not":"read"}`) })]).values()].map(({ set }) => set)).toEqual([FieldSet.empty]);
  });

  it('come out in canonical form where a client sent them', () => {
    const sent = decodeSentManagedFields([entry('a', { fieldsV1: raw('{"f:b":{},"f:a":{".":{}}}') })], NO_MANAGED_FIELDS);
    expect(shown(sent ?? NO_MANAGED_FIELDS)).toEqual(['a batch/v1 undefined {"f:a":{},"f:b":{}}']);
  });
});

describe('the managedFields that a write starts from', () => {
  const stored = [entry('stored')];
  const managers = (owners: ManagedFields): readonly string[] => [...owners.values()].map(({ manager }) => manager);

  it.each<[what: string, sent: readonly ManagedFieldsEntry[] | undefined, subresource: string, expected: readonly string[]]>([
    ['those sent', [entry('sent')], '', ['sent']],
    ['those stored when none are sent', undefined, '', ['stored']],
    ['those stored when what is sent cannot be read', [entry('sent', { operation: 'X' })], '', ['stored']],
    ['none after []', [], '', []],
    ['none after [{}]', [{}], '', []],
    ['those stored on a subresource', [entry('sent')], 'status', ['stored']],
    ['those stored on a subresource, even after []', [], 'status', ['stored']],
  ])('are %s', (_, sent, subresource, expected) => {
    expect(managers(managedFieldsToStartFrom(stored, sent, subresource))).toEqual(expected);
  });

  it('are none when what is stored cannot be read', () => {
    expect(managedFieldsToStartFrom([entry('a', { operation: 'X' })], undefined, '')).toBe(NO_MANAGED_FIELDS);
  });

  it.each<[reset: boolean, entries: readonly ManagedFieldsEntry[] | undefined]>([
    [true, []],
    [true, [{}]],
    [true, [{ manager: '' }]],
    [false, undefined],
    [false, [{}, {}]],
    [false, [{ manager: 'a' }]],
    [false, [{ fieldsV1: raw('{}') }]],
  ])('are reset (%s) by %j', (reset, entries) => {
    expect(isResetOfManagedFields(entries)).toBe(reset);
  });
});

describe('managedFields that are written', () => {
  it('are absent when nobody owns anything', () => {
    expect(encodeManagedFields(NO_MANAGED_FIELDS)).toBeUndefined();
  });

  it('have applies first, then the oldest, then names, versions and subresources in order', () => {
    const ordered = [
      entry('z', { operation: 'Apply', time: at(9) }),
      entry('y', { time: '1969-12-31T23:59:59Z' }),
      entry('x'),
      entry('b', { time: at(1) }),
      entry('A', { time: at(2) }),
      entry('a', { time: at(2), apiVersion: 'a/v1' }),
      entry('a', { time: at(2) }),
      entry('a', { time: at(2), subresource: 'status' }),
      entry('\uffff', { time: at(2) }),
      entry('😀', { time: at(2) }),
    ];
    expect(encodeManagedFields(decoded(ordered.toReversed()))).toEqual(ordered);
  });

  it('name their fields in the order of the type and leave out what is empty', () => {
    const [only = {}] = encodeManagedFields(decoded([entry('', { time: at(1) })])) ?? [];
    expect(Object.keys(only)).toEqual(['operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1']);
  });
});

describe('owners by update', () => {
  const updates = (count: number, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry[] =>
    Array.from({ length: count }, (_, n) =>
      entry(`m${String(n).padStart(2, '0')}`, { time: at(n), fieldsV1: raw(`{"f:m${n}":{}}`), ...more }),
    );

  it('stay as they are up to ten, besides any number of applies', () => {
    const owners = decoded([...updates(10), ...updates(5, { operation: 'Apply' })]);
    expect(capUpdateOwners(owners)).toBe(owners);
  });

  it('beyond ten are merged, the oldest first, under the time of the newest merged', () => {
    const capped = shown(capUpdateOwners(decoded(updates(12))));
    expect(capped).toHaveLength(10);
    expect(capped[0]).toBe(`ancient-changes batch/v1 ${at(2)} {"f:m0":{},"f:m1":{},"f:m2":{}}`);
    expect(capped[1]).toMatch(/^m03 /);
  });

  it('are merged into those that were merged before', () => {
    const before = entry('ancient-changes', { time: at(0), fieldsV1: raw('{"f:old":{}}') });
    const capped = shown(capUpdateOwners(decoded([before, ...updates(10)])));
    expect(capped[0]).toBe(`ancient-changes batch/v1 ${at(0)} {"f:m0":{},"f:old":{}}`);
    expect(capped).toHaveLength(10);
  });

  it('lose nothing when those that were merged before are no older', () => {
    const same = { time: at(0) };
    const before = entry('ancient-changes', { ...same, fieldsV1: raw('{"f:old":{}}') });
    const capped = capUpdateOwners(decoded([entry('aaa', { ...same, fieldsV1: raw('{"f:aaa":{}}') }), before, ...updates(10)]));
    expect(shown(capped)[0]).toBe(`ancient-changes batch/v1 ${at(0)} {"f:aaa":{},"f:m0":{},"f:old":{}}`);
    expect(capped.size).toBe(10);
  });

  it('are merged within their version, and stay when they are alone in it', () => {
    const owners = decoded(updates(12).map((each, n) => ({ ...each, apiVersion: n === 0 ? 'v0' : n < 4 ? 'v1' : 'v2' })));
    const capped = shown(capUpdateOwners(owners));
    expect(capped.slice(0, 2)).toEqual([`m00 v0 ${at(0)} {"f:m0":{}}`, `ancient-changes v1 ${at(3)} {"f:m1":{},"f:m2":{},"f:m3":{}}`]);
  });

  it('stay more than ten when each has a version of its own', () => {
    const owners = decoded(updates(12).map((each, n) => ({ ...each, apiVersion: `v${n}` })));
    expect(capUpdateOwners(owners).size).toBe(12);
  });
});

describe('what nobody can own', () => {
  it('is taken out, and only that', () => {
    const set = fields(
      'apiVersion',
      'kind',
      'metadata',
      'metadata.name',
      'metadata.uid',
      'metadata.managedFields',
      'metadata.labels.a',
      'spec',
      'kind.x',
    );
    expect(withoutNeverOwned(set).equals(fields('metadata.labels.a', 'spec', 'kind.x'))).toBe(true);
  });

  it('leaves a set without it the very set', () => {
    const set = fields('metadata.labels.a', 'spec');
    expect(withoutNeverOwned(set)).toBe(set);
  });
});

describe('two lists of managedFields', () => {
  it.each<[same: boolean, what: string, a: readonly ManagedFieldsEntry[] | undefined, b: readonly ManagedFieldsEntry[] | undefined]>([
    [true, 'another time', [entry('a', { time: at(1) })], [entry('a', { time: at(2) })]],
    [true, 'a time that is absent', [entry('a', { time: at(1) })], [entry('a')]],
    [true, 'nothing', undefined, undefined],
    [true, 'nothing in another way', undefined, []],
    [false, 'one entry more', [entry('a')], [entry('a'), entry('b')]],
    [false, 'another manager', [entry('a')], [entry('b')]],
    [false, 'another operation', [entry('a')], [entry('a', { operation: 'Apply' })]],
    [false, 'another version', [entry('a')], [entry('a', { apiVersion: 'v2' })]],
    [false, 'another subresource', [entry('a')], [entry('a', { subresource: 'status' })]],
    [false, 'other fields', [entry('a')], [entry('a', { fieldsV1: raw('{}') })]],
    [false, 'another order', [entry('a'), entry('b')], [entry('b'), entry('a')]],
  ])('are the same but for times: %s with %s', (same, _, a, b) => {
    expect(differOnlyInTimes(a, b)).toBe(same);
  });
});

describe('an owner', () => {
  it('stays the very owner with the set and time that it has', () => {
    const [owner] = decoded([entry('a')]).values();
    expect(owner?.withSet(owner.set)).toBe(owner);
    expect(owner?.withTime(undefined)).toBe(owner);
    expect(owner?.withSet(fields('x')).fieldsV1.bytes.toString()).toBe('{"f:x":{}}');
    expect(owner?.withTime(at(1)).set).toBe(owner?.set);
  });
});
