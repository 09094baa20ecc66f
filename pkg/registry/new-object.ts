/** Encodes an object for the commit. */
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Kind, KubernetesObject } from '../apis/kind.ts';
import { MAX_OBJECT_BYTES } from '../schema/encode.ts';
import { RECORD_HEADER_BYTES } from '../storage/record.ts';
import { withMetadata } from './object-meta.ts';
import type { NewObject, WriterOptions } from './guaranteed-update.ts';

export interface NewObjectOptions {
  readonly kind: Kind;
  readonly writer: Pick<WriterOptions, 'codec' | 'clock'>;
  readonly eventTtlMs: number;
}

/** Throws RequestEntityTooLarge. `dropsManagedFields`: when only they, which the client did not send, are too much. */
export function toNewObject(
  options: NewObjectOptions,
  object: KubernetesObject,
  { dropsManagedFields = false }: EncodeStoredOptions = {},
): NewObject {
  const { kind, writer, eventTtlMs } = options;
  const json = encode(writer, object, dropsManagedFields && object.metadata.managedFields !== undefined);
  return kind.strategy.expires === true ? { json, expiresAt: writer.clock.now() + eventTtlMs } : { json };
}

interface EncodeStoredOptions {
  readonly dropsManagedFields?: boolean;
}

function encode(writer: NewObjectOptions['writer'], object: KubernetesObject, dropsManagedFields: boolean): Buffer {
  try {
    const json = writer.codec.encode(object);
    assertStorable(json);
    return json;
  } catch (error) {
    if (!dropsManagedFields || !(error instanceof StatusError) || error.reason !== 'RequestEntityTooLarge') throw error;
    return encode(writer, withMetadata(object, { managedFields: undefined }), false);
  }
}

function assertStorable(json: Buffer): void {
  const bytes = RECORD_HEADER_BYTES + json.byteLength;
  if (bytes <= MAX_OBJECT_BYTES) return;
  throw new StatusError('RequestEntityTooLarge', `The object takes ${bytes} bytes; at most ${MAX_OBJECT_BYTES} can be stored`);
}
