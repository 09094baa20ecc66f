import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mutatedBytes } from '../../../test/support/mutated-bytes.ts';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import { allShapes } from '../../../test/support/shapes.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import { compileObjectWriter } from '../encode.ts';
import { createValidator } from '../validator.ts';
import { parseEnvelope } from './envelope.ts';
import { createMessageCodec } from './message-codec.ts';

interface ProtobufVector {
  readonly model: string;
  readonly expectedProtobufBase64: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../test/vectors/protobuf.json', import.meta.url), 'utf8'),
) as readonly ProtobufVector[];
const samples = vectors.map(({ expectedProtobufBase64 }) => Buffer.from(expectedProtobufBase64, 'base64'));

const kinds = new Set(createKinds({ groupSuffix: 'k8s.io' }).map(({ definition }) => definition.kind));

/** The result, or undefined if it was rejected as a client error. */
function taken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'BadRequest') return undefined;
    throw error;
  }
}

describe('a message with random mutations', () => {
  it(
    'is rejected with 400, or decoded to an object that can be encoded again',
    async () => {
      const shapes = await allShapes();
      const codecs = new Map(
        [...new Set(vectors.map(({ model }) => model.slice(model.lastIndexOf('.') + 1)))].map((kind) => {
          const shape = [...shapes.values()].find(({ name }) => name.endsWith(`.${kind}`));
          if (shape === undefined) throw new Error(`no shape ${kind}`);
          const validator = kinds.has(kind) ? createValidator(shape) : undefined;
          return [kind, { codec: createMessageCodec(shape), toJson: compileObjectWriter(shape), validator }];
        }),
      );
      let read = 0;
      fc.assert(
        fc.property(mutatedBytes(samples), fc.constantFrom(...codecs.keys()), (bytes, otherKind) => {
          const envelope = taken(() => parseEnvelope(bytes));
          if (envelope === undefined) return;
          const reader = codecs.get(envelope.kind) ?? codecs.get(otherKind);
          const object = taken(() => reader?.codec.decode(envelope.raw));
          if (reader === undefined || object === undefined) return;
          read++;
          const message = reader.codec.encode(object);
          if (!reader.codec.encode(reader.codec.decode(message)).equals(message))
            throw new Error('written otherwise when it was read again');
          if (reader.toJson(object).byteLength === 0) throw new Error('no JSON');
          // Decoded objects have no type errors; only rules of the kind remain.
          if (reader.validator !== undefined) expect(reader.validator.typeErrors(object)).toEqual([]);
        }),
        propertyRuns(3000),
      );
      // Most mutations hit strings.
      expect(read).toBeGreaterThan(100);
    },
    propertyTimeoutMs,
  );
});
