import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../apis/kind.ts';
import { MAX_OBJECT_BYTES } from '../schema/encode.ts';
import { createObjectCodec } from '../schema/object-codec.ts';
import { kindNamed, sample } from '../../test/registry/test-registry.ts';
import { toNewObject } from './new-object.ts';

const kind = kindNamed('ControllerRevision');
const codec = createObjectCodec(kind.shape);
const options = {
  kind,
  writer: {
    codec: { encode: (object: KubernetesObject) => codec.encode(object), decode: () => sample('ControllerRevision', {}) },
    clock: { now: () => 0, sleep: () => Promise.resolve() },
  },
  eventTtlMs: 1000,
};
/** An object with this many bytes of JSON without managedFields. */
function sized(bytes: number) {
  const make = (text: string) =>
    sample('ControllerRevision', { name: 'a', managedFields: [{ manager: 'm', operation: 'Update', fieldsV1: {} }] }, { data: { text } });
  const { managedFields: _, ...metadata } = make('').metadata;
  const empty = codec.encode({ ...make(''), metadata }).byteLength;
  return make('x'.repeat(bytes - empty));
}
/** Size of the header of a stored value. */
const LARGEST = MAX_OBJECT_BYTES - 17;

describe('an object that is to be stored', () => {
  it('keeps its managedFields while there is room', () => {
    expect(toNewObject(options, sized(LARGEST - 1000), { dropsManagedFields: true }).json.includes('managedFields')).toBe(true);
  });

  it('is stored without managedFields when it is too large with them', () => {
    const { json } = toNewObject(options, sized(LARGEST), { dropsManagedFields: true });
    expect([json.byteLength, json.includes('managedFields')]).toEqual([LARGEST, false]);
  });

  it('is refused with managedFields that it came with', () => {
    expect(() => toNewObject(options, sized(LARGEST))).toThrow(expect.objectContaining({ reason: 'RequestEntityTooLarge' }));
  });

  it('is refused when it is too large anyway', () => {
    expect(() => toNewObject(options, sized(LARGEST + 1), { dropsManagedFields: true })).toThrow(
      expect.objectContaining({ reason: 'RequestEntityTooLarge' }),
    );
  });
});
