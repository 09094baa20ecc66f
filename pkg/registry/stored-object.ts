/** A stored state of an object, and its conversion to the bytes that are sent. */
import type { ObjectEncoding } from '../apimachinery/meta/object-encoding.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { KubernetesObject } from '../apis/kind.ts';
import { NO_REVISION, type Revision, type StoredRecord } from '../storage/backend.ts';
import { keyText } from '../storage/keys.ts';
import { decodeRecord, type RecordContent } from '../storage/record.ts';
import type { ObjectBytes } from './object-store.ts';

/** Converts the objects of a kind from and to canonical JSON. The codec of a view converts to the stored type. */
export interface StoredCodec {
  /** Canonical JSON. The object must not have `metadata.resourceVersion`. */
  encode(object: KubernetesObject): Buffer;
  /** Takes canonical JSON. */
  decode(json: Buffer): KubernetesObject;
}

export class StoredObject {
  readonly revision: Revision;
  /** Canonical JSON, without resourceVersion. */
  readonly json: Buffer;
  readonly #codec: StoredCodec;
  #object: KubernetesObject | undefined;

  constructor(codec: StoredCodec, revision: Revision, json: Buffer) {
    this.#codec = codec;
    this.revision = revision;
    this.json = json;
  }

  /** Decoded on first use, without resourceVersion. Throws InternalError for a damaged value. */
  get object(): KubernetesObject {
    try {
      return (this.#object ??= this.#codec.decode(this.json));
    } catch (cause) {
      // Replaces errors of the parser, since the client is not at fault.
      throw new StatusError('InternalError', `The stored value cannot be read (revision ${this.revision})`, { cause });
    }
  }

  /** The same state with the codec of another version. */
  readBy(codec: StoredCodec): StoredObject {
    return codec === this.#codec ? this : new StoredObject(codec, this.revision, this.json);
  }
}

/** Throws InternalError for a damaged or foreign value. */
export function readableRecord(encoding: ObjectEncoding, { key, revision, value }: StoredRecord): RecordContent {
  const content = decodeRecord(value);
  if (content !== undefined && encoding.isStored(content.json)) return content;
  throw new StatusError('InternalError', `The stored value cannot be read (${keyText(key)} at revision ${revision})`);
}

/** Converts to the bytes that are sent. Revision 0, of an object that was not stored, shows no resourceVersion. */
export const toObjectBytes = (encoding: ObjectEncoding, json: Buffer, revision: Revision): ObjectBytes => ({
  json: revision === NO_REVISION ? [json] : encoding.singleObjectOfStored(json, revision),
  revision,
});
