import type { DecodedObject } from '../decode.ts';
import { parseEnvelope, type EnvelopeType } from './envelope.ts';
import type { MessageCodec } from './message-codec.ts';

/**
 * Decodes a protobuf request body like `ObjectCodec.decodeBody` decodes the same object in JSON: kind and apiVersion
 * are members if the envelope has them. There are no findings, because unknown protobuf fields have no name.
 *
 * `assertType` is called before the message is decoded and throws if the type is not the one that `codec` decodes; a
 * message of another type may be valid by chance. An empty name means the expected one. Throws StatusError BadRequest
 * if the body is not an envelope, and whatever `codec` throws.
 */
export function decodeBody(body: Uint8Array, codec: MessageCodec, assertType: (type: EnvelopeType) => void): DecodedObject {
  const { kind, apiVersion, raw } = parseEnvelope(body);
  assertType({ kind, apiVersion });
  const type = { ...(kind === '' ? {} : { kind }), ...(apiVersion === '' ? {} : { apiVersion }) };
  return { object: { ...type, ...codec.decode(raw) }, findings: [], causes: [] };
}
