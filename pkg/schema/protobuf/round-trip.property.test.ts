import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toJsonText } from '../../../test/support/json-token.ts';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import { protobufView } from '../../../test/support/protobuf-view.ts';
import { kindSample } from '../../../test/support/kind-samples.ts';
import { allShapes } from '../../../test/support/shapes.ts';
import { ofShape, variation } from '../../../test/support/shape-values.ts';
import { validObject } from '../../../test/support/valid-objects.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { toDocument } from '../../fieldmanager/typed/document.ts';
import { compileShape, decodeObject } from '../decode.ts';
import { compileObjectWriter } from '../encode.ts';
import { createMessageCodec } from './message-codec.ts';

const kinds = createKinds({ groupSuffix: 'k8s.io' });
/** Other types that are sent or received as messages. */
const OTHERS = [
  'meta.v1.Status',
  'meta.v1.DeleteOptions',
  'meta.v1.CreateOptions',
  'meta.v1.UpdateOptions',
  'meta.v1.PatchOptions',
  'meta.v1.ListOptions',
  'meta.v1.GetOptions',
  'meta.v1.PartialObjectMetadata',
  'meta.v1.APIGroupList',
  'meta.v1.APIResourceList',
  'meta.v1.APIVersions',
  'core.v1.Event',
  'authentication.v1.SelfSubjectReview',
  'authorization.v1.SelfSubjectAccessReview',
  'authorization.v1.SelfSubjectRulesReview',
];

/** JSON to protobuf to JSON: the same object, except for differences that protobuf cannot express (`protobufView`). */
function identityOf(shape: ObjectShape): (text: string) => void {
  const form = compileShape(shape);
  const codec = createMessageCodec(shape);
  const toJson = compileObjectWriter(shape);
  return (text) => {
    const { object } = decodeObject(Buffer.from(text), form);
    const message = codec.encode(object);
    const decoded = codec.decode(message);
    // Normalizes both sides: the document has no resourceVersion.
    const expected = protobufView(shape, toDocument(shape, object));
    expect(protobufView(shape, toDocument(shape, decoded))).toEqual(expected);
    expect(toJson(decoded).toString()).toBe(toJson(expected).toString());
    expect(codec.encode(decoded).equals(message)).toBe(true);
  };
}

describe('JSON to protobuf to JSON', () => {
  describe.each(kinds)('of $definition.kind', ({ definition: { kind }, shape }) => {
    const check = identityOf(shape);

    it(
      'preserves every accepted object',
      () => {
        fc.assert(
          fc.property(validObject(kind), (object) => check(toJsonText(object))),
          propertyRuns(60),
        );
      },
      propertyTimeoutMs,
    );

    it(
      'preserves every object without type errors',
      () => {
        fc.assert(
          fc.property(variation(shape, kindSample(kind, 'realistic')), (object) => check(toJsonText(object))),
          propertyRuns(60),
        );
      },
      propertyTimeoutMs,
    );
  });

  it.each(OTHERS)('preserves %s', async (name) => {
    const shape = (await allShapes()).get(name);
    if (shape === undefined) throw new Error(`no shape ${name}`);
    const check = identityOf(shape);
    fc.assert(
      fc.property(ofShape(shape), (object) => check(toJsonText(object))),
      propertyRuns(60),
    );
  });
});
