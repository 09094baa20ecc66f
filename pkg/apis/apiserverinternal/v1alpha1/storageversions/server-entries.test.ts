import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import { type Condition, type ServerEntry, type UncheckedStatus, validateStatus } from './rules.ts';
import { hasServer, withoutServer, withServerEntry } from './server-entries.ts';

const entry = (apiServerID: string, encodingVersion = 'batch/v1'): ServerEntry => ({
  apiServerID,
  encodingVersion,
  decodableVersions: ['batch/v1', 'batch/v2'],
  servedVersions: [encodingVersion],
});
const at = (now: string) => ({ now, generation: undefined });
const T1 = '2026-03-14T15:00:00Z';
const T2 = '2026-03-14T16:00:00Z';
const conditionOf = (status: UncheckedStatus): Condition | undefined =>
  status.conditions?.find(({ type }) => type === 'AllEncodingVersionsEqual');

describe('The entry of a server', () => {
  const single = withServerEntry(undefined, entry('a'), at(T1));

  it('makes the common version and the condition, in the words of Kubernetes', () => {
    expect(single).toEqual({
      storageVersions: [entry('a')],
      commonEncodingVersion: 'batch/v1',
      conditions: [
        {
          type: 'AllEncodingVersionsEqual',
          status: 'True',
          lastTransitionTime: T1,
          reason: 'CommonEncodingVersionSet',
          message: 'Common encoding version set',
        },
      ],
    });
  });

  it('changes nothing when it is there', () => {
    expect(withServerEntry(single, entry('a'), at(T2))).toEqual(single);
  });

  it('comes behind the others, and keeps its place', () => {
    const two = withServerEntry(single, entry('b'), at(T2));
    expect(two.storageVersions?.map(({ apiServerID }) => apiServerID)).toEqual(['a', 'b']);
    expect(withServerEntry(two, entry('a', 'batch/v2'), at(T2)).storageVersions).toEqual([entry('a', 'batch/v2'), entry('b')]);
    expect(conditionOf(two)?.lastTransitionTime).toBe(T1);
  });

  it('unsets the common version when it differs, which is a transition', () => {
    const differing = withServerEntry(single, entry('b', 'batch/v2'), at(T2));
    expect(differing.commonEncodingVersion).toBeUndefined();
    expect(conditionOf(differing)).toEqual({
      type: 'AllEncodingVersionsEqual',
      status: 'False',
      lastTransitionTime: T2,
      reason: 'CommonEncodingVersionUnset',
      message: 'Common encoding version unset',
    });
    expect(withoutServer(differing, 'b', at(T1))).toEqual(single);
  });

  it('stands there once, as every other, whatever was stored', () => {
    const stored = { ...single, storageVersions: ['a', 'b', 'a', 'b'].map((id) => entry(id)) };
    expect(withServerEntry(stored, entry('a'), at(T2)).storageVersions).toEqual([entry('a'), entry('b')]);
    expect(withoutServer(stored, 'a', at(T2)).storageVersions).toEqual([entry('b')]);
  });

  it('makes a transition when all go on to another version at once', () => {
    const moved = withServerEntry(single, entry('a', 'batch/v2'), at(T2));
    expect([moved.commonEncodingVersion, conditionOf(moved)?.status, conditionOf(moved)?.lastTransitionTime]).toEqual([
      'batch/v2',
      'True',
      T2,
    ]);
  });

  it('leaves nothing but the condition when it was the last', () => {
    const none = withoutServer(single, 'a', at(T2));
    expect(none).toMatchObject({ storageVersions: [], conditions: [{ status: 'False', lastTransitionTime: T2 }] });
    expect([hasServer(single, 'a'), hasServer(none, 'a'), hasServer(undefined, 'a')]).toEqual([true, false, false]);
  });

  it('keeps conditions of others, and takes over the generation', () => {
    const other = { type: 'example.com/Other', status: 'Unknown', reason: 'R', message: 'm' };
    const status = withServerEntry({ conditions: [other] }, entry('a'), { now: T1, generation: 7 });
    expect(status.conditions).toEqual([other, expect.objectContaining({ status: 'True', observedGeneration: 7 })]);
  });

  it('always leaves a status that passes the rules, whatever was stored', () => {
    const version = fc.constantFrom('batch/v1', 'batch/v2', 'v 1', '');
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    const anyEntry = fc.record({
      apiServerID: maybe(fc.constantFrom('a', 'b', '_')),
      encodingVersion: maybe(version),
      decodableVersions: maybe(fc.array(version, { maxLength: 3 })),
      servedVersions: maybe(fc.array(version, { maxLength: 2 })),
    });
    const text = fc.constantFrom('', 'True', 'False', 'AllEncodingVersionsEqual', 'a b');
    const anyCondition = fc.record({ type: maybe(text), status: maybe(text), reason: maybe(text), message: maybe(text) });
    const anyStatus = fc.record({
      storageVersions: maybe(fc.array(anyEntry, { maxLength: 4 })),
      commonEncodingVersion: maybe(version),
      conditions: maybe(fc.array(anyCondition, { maxLength: 4 })),
    });
    fc.assert(
      fc.property(anyStatus, (stored) => {
        // Absent members are missing, not undefined, as in a decoded object.
        const status = JSON.parse(JSON.stringify(stored)) as UncheckedStatus;
        for (const next of [withServerEntry(status, entry('a'), at(T1)), withoutServer(status, 'a', at(T1))]) {
          expect(validateStatus(next, FieldPath.of('status'))).toEqual([]);
        }
      }),
    );
  });
});
