import { expect } from '@jest/globals';
import type { JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { isJsonObject } from '../../pkg/apimachinery/json/write-json.ts';
import { toDocument } from '../../pkg/fieldmanager/typed/document.ts';
import { compileShape, decodeObject } from '../../pkg/schema/decode.ts';
import { parseEnvelope, writeEnvelope } from '../../pkg/schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../pkg/schema/protobuf/message-codec.ts';
import { protobufView } from '../support/protobuf-view.ts';
import { allShapes } from '../support/shapes.ts';
import { runnerOf } from './vector.ts';

interface ProtobufVector {
  readonly model: string;
  readonly expectedProtobufBase64: string;
}

const shortNameOf = (model: string): string => model.replace(/^io\.k8s\.(api|apimachinery\.pkg\.apis|apimachinery\.pkg)\./, '');

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** Both ways: to the same bytes, and back to the object that they were made of. */
export const protobuf = runnerOf<ProtobufVector>(async ({ model, expectedProtobufBase64 }, { object: json }) => {
  const shape = (await allShapes()).get(shortNameOf(model));
  if (shape === undefined || json === undefined) throw new Error(`There is no ${model}, or no object.`);
  const { object, findings } = decodeObject(json.bytes, compileShape(shape));
  expect(findings).toEqual([]);
  const type = { kind: textOf(object['kind']), apiVersion: textOf(object['apiVersion']) };
  const codec = createMessageCodec(shape);

  const bytes = writeEnvelope(type, codec.encode(object));
  expect(bytes.toString('base64')).toBe(expectedProtobufBase64);

  const { raw, ...envelope } = parseEnvelope(Buffer.from(expectedProtobufBase64, 'base64'));
  expect(envelope).toEqual({ ...type, contentType: '', contentEncoding: '' });
  const decoded = codec.decode(raw);
  const resourceVersion = isJsonObject(object['metadata']) ? object['metadata']['resourceVersion'] : undefined;
  expect(isJsonObject(decoded['metadata']) ? decoded['metadata']['resourceVersion'] : undefined).toBe(resourceVersion);
  expect(toDocument(shape, decoded)).toEqual(toDocument(shape, protobufView(shape, toDocument(shape, object))));
});
