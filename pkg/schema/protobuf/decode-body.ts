import type { DecodedObject } from '../decode.ts';
import { parseEnvelope, type EnvelopeType } from './envelope.ts';
import type { MessageCodec } from './message-codec.ts';

/**
 * Decodes a protobuf request body, like `ObjectCodec.decodeBody` for JSON. Kind and apiVersion are present if the
 * envelope has them. There are no findings, because unknown protobuf fields have no name.
 *
 * `assertType` must throw if `codec` does not decode the type, since a message of another type may be valid by chance.
 * An empty name means the expected one. Throws StatusError BadRequest for an invalid envelope, and the errors of
 * `codec`.
 */
export function decodeBody(body: Uint8Array, codec: MessageCodec, assertType: (type: EnvelopeType) => void): DecodedObject {
  const { kind, apiVersion, raw } = parseEnvelope(body);
  assertType({ kind, apiVersion });
  const type = { ...(kind === '' ? {} : { kind }), ...(apiVersion === '' ? {} : { apiVersion }) };
  return { object: { ...type, ...codec.decode(raw) }, findings: [], causes: [] };
}
