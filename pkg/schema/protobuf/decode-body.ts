import type { DecodedObject } from '../decode.ts';
import { openEnvelope, type TypeMeta } from './envelope.ts';
import type { MessageCodec } from './message-codec.ts';

/**
 * A request body in its envelope, as `ObjectCodec.decodeBody` decodes the same object in JSON: kind and apiVersion are members of it, if they
 * are said. There is nothing to find in it: what is unknown in protobuf has no name.
 *
 * `assertType` is told the type before the message is read, and throws when it is not one that `codec` reads: a message of another type can be
 * one of this type by chance. An empty name stands for whatever is expected. Throws StatusError BadRequest for what is no envelope, and what `codec` throws.
 */
export function decodeBody(body: Uint8Array, codec: MessageCodec, assertType: (type: TypeMeta) => void): DecodedObject {
  const { kind, apiVersion, raw } = openEnvelope(body);
  assertType({ kind, apiVersion });
  const type = { ...(kind === '' ? {} : { kind }), ...(apiVersion === '' ? {} : { apiVersion }) };
  return { object: { ...type, ...codec.decode(raw) }, findings: [], causes: [] };
}
