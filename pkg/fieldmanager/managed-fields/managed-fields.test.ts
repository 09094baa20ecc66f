import { describe, expect, it } from '@jest/globals';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement } from '../fieldpath/path-element.ts';
import { capUpdateManagers } from './cap-update-managers.ts';
import {
  decodeSentManagedFields,
  decodeStoredManagedFields,
  isResetOfManagedFields,
  managedFieldsBeforeWrite,
} from './decode-managed-fields.ts';
import { encodeManagedFields } from './encode-managed-fields.ts';
import { type ManagedFields, NO_MANAGED_FIELDS, managerIdentifier } from './field-owner.ts';
import { stripMeta } from './strip-meta.ts';
import { differOnlyInTimes } from './differ-only-in-times.ts';

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

describe('decoded managedFields', () => {
  it('have an owner for each manager, operation, subresource and, except for Apply, version', () => {
    const all = [
      entry('a'),
      entry('b'),
      entry('a', { subresource: 'status' }),
      entry('a', { apiVersion: 'v2' }),
      entry('a', { operation: 'Apply' }),
    ];
    const owners = decoded([...all, entry('a', { operation: 'Apply', apiVersion: 'v2', time: at(1) })]);
    expect(owners.size).toBe(all.length);
    expect(owners.get(managerIdentifier({ manager: 'a', operation: 'Apply', apiVersion: 'any', subresource: '' }))).toMatchObject({
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
    ['invalid fields', { fieldsV1: raw('{"spec":{}}') }],
    ['fields nested too deeply', { fieldsV1: raw(`${'{"f:a":'.repeat(300)}{}${'}'.repeat(300)}`) }],
  ])('are invalid if an entry has %s', (_, more) => {
    expect(decodeSentManagedFields([entry('a'), entry('b', more)], NO_MANAGED_FIELDS)).toBeUndefined();
  });

  it('are not parsed until they are used', () => {
    // Stored sets are trusted; an invalid one shows that nothing parsed it.
    const stored = [entry('a', { fieldsV1: raw('{"not":"read"}') })];
    expect(encodeManagedFields(decoded(stored))).toEqual(stored);
    const sent = decodeSentManagedFields([entry('a', { fieldsV1: raw('{"not":"read"}'), time: at(3) })], decoded(stored));
    expect(encodeManagedFields(sent ?? NO_MANAGED_FIELDS)).toEqual([{ ...stored[0], time: at(3) }]);
  });

  it('own nothing if the stored form is invalid', () => {
    expect([...decoded([entry('a', { fieldsV1: raw(`{"not":"read"}`) })]).values()].map(({ set }) => set)).toEqual([FieldSet.empty]);
  });

  it('are canonical when a client sent them', () => {
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
    ['those stored when those sent are invalid', [entry('sent', { operation: 'X' })], '', ['stored']],
    ['none after []', [], '', []],
    ['none after [{}]', [{}], '', []],
    ['those stored on a subresource', [entry('sent')], 'status', ['stored']],
    ['those stored on a subresource, even after []', [], 'status', ['stored']],
  ])('are %s', (_, sent, subresource, expected) => {
    expect(managers(managedFieldsBeforeWrite(stored, sent, subresource))).toEqual(expected);
  });

  it('are none if the stored ones are invalid', () => {
    expect(managedFieldsBeforeWrite([entry('a', { operation: 'X' })], undefined, '')).toBe(NO_MANAGED_FIELDS);
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

describe('encoded managedFields', () => {
  it('are absent if there are no owners', () => {
    expect(encodeManagedFields(NO_MANAGED_FIELDS)).toBeUndefined();
  });

  it('are sorted by operation, time, manager, version and subresource', () => {
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

  it('list fields in the order of the type and omit empty ones', () => {
    const [only = {}] = encodeManagedFields(decoded([entry('', { time: at(1) })])) ?? [];
    expect(Object.keys(only)).toEqual(['operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1']);
  });
});

describe('Update owners', () => {
  const updates = (count: number, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry[] =>
    Array.from({ length: count }, (_, n) =>
      entry(`m${String(n).padStart(2, '0')}`, { time: at(n), fieldsV1: raw(`{"f:m${n}":{}}`), ...more }),
    );

  it('are kept up to ten, besides any number of Apply owners', () => {
    const owners = decoded([...updates(10), ...updates(5, { operation: 'Apply' })]);
    expect(capUpdateManagers(owners)).toBe(owners);
  });

  it('beyond ten are merged, oldest first, with the time of the newest merged', () => {
    const capped = shown(capUpdateManagers(decoded(updates(12))));
    expect(capped).toHaveLength(10);
    expect(capped[0]).toBe(`ancient-changes batch/v1 ${at(2)} {"f:m0":{},"f:m1":{},"f:m2":{}}`);
    expect(capped[1]).toMatch(/^m03 /);
  });

  it('are merged into an existing ancient-changes owner', () => {
    const before = entry('ancient-changes', { time: at(0), fieldsV1: raw('{"f:old":{}}') });
    const capped = shown(capUpdateManagers(decoded([before, ...updates(10)])));
    expect(capped[0]).toBe(`ancient-changes batch/v1 ${at(0)} {"f:m0":{},"f:old":{}}`);
    expect(capped).toHaveLength(10);
  });

  it('are all kept in the merge if ancient-changes is not older', () => {
    const same = { time: at(0) };
    const before = entry('ancient-changes', { ...same, fieldsV1: raw('{"f:old":{}}') });
    const capped = capUpdateManagers(decoded([entry('aaa', { ...same, fieldsV1: raw('{"f:aaa":{}}') }), before, ...updates(10)]));
    expect(shown(capped)[0]).toBe(`ancient-changes batch/v1 ${at(0)} {"f:aaa":{},"f:m0":{},"f:old":{}}`);
    expect(capped.size).toBe(10);
  });

  it('are merged within their version; the only one of a version is kept', () => {
    const owners = decoded(updates(12).map((each, n) => ({ ...each, apiVersion: n === 0 ? 'v0' : n < 4 ? 'v1' : 'v2' })));
    const capped = shown(capUpdateManagers(owners));
    expect(capped.slice(0, 2)).toEqual([`m00 v0 ${at(0)} {"f:m0":{}}`, `ancient-changes v1 ${at(3)} {"f:m1":{},"f:m2":{},"f:m3":{}}`]);
  });

  it('may exceed ten if each has its own version', () => {
    const owners = decoded(updates(12).map((each, n) => ({ ...each, apiVersion: `v${n}` })));
    expect(capUpdateManagers(owners).size).toBe(12);
  });
});

describe('fields that cannot be owned', () => {
  it('are removed, and no others', () => {
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
    expect(stripMeta(set).equals(fields('metadata.labels.a', 'spec', 'kind.x'))).toBe(true);
  });

  it('return the same set if there are none in it', () => {
    const set = fields('metadata.labels.a', 'spec');
    expect(stripMeta(set)).toBe(set);
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
  ])('are equal except for times: %s with %s', (same, _, a, b) => {
    expect(differOnlyInTimes(a, b)).toBe(same);
  });
});

describe('an owner', () => {
  it('is the same object when set and time are unchanged', () => {
    const [owner] = decoded([entry('a')]).values();
    expect(owner?.withSet(owner.set)).toBe(owner);
    expect(owner?.withTime(undefined)).toBe(owner);
    expect(owner?.withSet(fields('x')).fieldsV1.bytes.toString()).toBe('{"f:x":{}}');
    expect(owner?.withTime(at(1)).set).toBe(owner?.set);
  });
});
