/** One state of an object as it is stored, and how it becomes what is sent. */
import type { ObjectEncoding } from '../apimachinery/meta/object-encoding.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { KubernetesObject } from '../apis/kind.ts';
import { NO_REVISION, type Revision, type StoredRecord } from '../storage/backend.ts';
import { keyText } from '../storage/keys.ts';
import { decodeRecord, type RecordContent } from '../storage/record.ts';
import type { ObjectBytes } from './object-store.ts';

/**
 * How the objects of one kind are read from and written as canonical JSON. That of a view writes what is stored of its
 * objects.
 */
export interface StoredCodec {
  /** Canonical JSON. The object has no `metadata.resourceVersion`. */
  encode(object: KubernetesObject): Buffer;
  /** Of canonical JSON. */
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

  /** Decoded when first asked for. Without resourceVersion. Throws StatusError InternalError for a damaged value. */
  get object(): KubernetesObject {
    try {
      return (this.#object ??= this.#codec.decode(this.json));
    } catch (cause) {
      // Not the client's fault, whatever the parser says.
      throw new StatusError('InternalError', `The stored value cannot be read (revision ${this.revision})`, { cause });
    }
  }

  /** The same state, decoded by another version's codec. */
  readBy(codec: StoredCodec): StoredObject {
    return codec === this.#codec ? this : new StoredObject(codec, this.revision, this.json);
  }
}

/** Throws StatusError InternalError for a value that another program wrote, or that is damaged. */
export function readableRecord(encoding: ObjectEncoding, { key, revision, value }: StoredRecord): RecordContent {
  const content = decodeRecord(value);
  if (content !== undefined && encoding.isStored(content.json)) return content;
  throw new StatusError('InternalError', `The stored value cannot be read (${keyText(key)} at revision ${revision})`);
}

/** As it is sent. A revision of 0, of an object that was never stored, shows no resourceVersion. */
export const toObjectBytes = (encoding: ObjectEncoding, json: Buffer, revision: Revision): ObjectBytes => ({
  json: revision === NO_REVISION ? [json] : encoding.singleObjectOfStored(json, revision),
  revision,
});
