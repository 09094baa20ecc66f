import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../apimachinery/json/json-value.ts';
import { createObjectCodec } from '../../../../schema/object-codec.ts';
import type { ObjectShape, TypeShape } from '../../../type-shape.ts';
import { PersistentVolumeSpecShape, PodTemplateSpecShape } from '../shapes.gen.ts';
import { withPersistentVolumeSourceDefaults } from './disks.ts';
import { withPodTemplateDefaults } from './pod-template-defaults.ts';

const text = fc.constantFrom('', 'a', 'work', 'work:1', 'work:latest', 'v1', 'None', 'Always');
const amount = fc.constantFrom('0', '1', '100n', '1500u', '1Gi', '-1u', '1500m', '2e-6');
const key = fc.constantFrom('cpu', 'memory', '__proto__', 'constructor', 'pod.beta.kubernetes.io/init-containers');

const objectOf = ({ fields }: ObjectShape): fc.Arbitrary<JsonObject> =>
  fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, valueOf(type)])), { requiredKeys: [] });

/** Arbitrary values of correct types; any field may be absent. The types are not recursive. */
function valueOf(type: TypeShape): fc.Arbitrary<JsonValue> {
  switch (type.shape) {
    case 'object':
      return objectOf(type);
    case 'array':
      return fc.array(valueOf(type.items), { maxLength: 2 });
    case 'map':
      return fc.array(fc.tuple(key, valueOf(type.values)), { maxLength: 2 }).map((members) => Object.fromEntries(members));
    case 'quantity':
      return amount;
    case 'boolean':
      return fc.boolean();
    case 'int32':
    case 'int64':
    case 'number':
      return fc.constantFrom(0, 1, 7);
    default:
      return text;
  }
}

const CASES: readonly (readonly [string, ObjectShape, (value: JsonObject) => JsonObject])[] = [
  ['a pod template', PodTemplateSpecShape, withPodTemplateDefaults],
  ['a volume of the cluster', PersistentVolumeSpecShape, withPersistentVolumeSourceDefaults],
];

describe.each(CASES)('The defaults of %s', (_, shape, withDefaults) => {
  const codec = createObjectCodec(shape);

  it('are filled in once, and what is stored lacks none', () => {
    fc.assert(
      fc.property(objectOf(shape), (sent) => {
        const before = JSON.stringify(sent);
        const once = withDefaults(sent);
        expect(withDefaults(once)).toBe(once);
        expect(JSON.stringify(sent)).toBe(before);
        const stored = codec.encode(once);
        expect(codec.encode(withDefaults(codec.parseStored(stored))).equals(stored)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
