/** One state of an object as it is stored, and how it becomes what is sent. */
import type { JsonParts } from '../apimachinery/json/json-parts.ts';
import { canonicalHead, fromListForm, resourceVersionPieces } from '../apimachinery/meta/object-bytes.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { KubernetesObject, ResourceDefinition } from '../apis/kind.ts';
import { NO_REVISION, type Revision, type StoredRecord } from '../storage/backend.ts';
import { keyText } from '../storage/keys.ts';
import { decodeRecord, type RecordContent } from '../storage/record.ts';
import type { CachedObject } from '../watchcache/watch-cache.ts';
import type { ObjectBytes } from './object-store.ts';

/** How the objects of one kind are read from and written as canonical JSON. That of a view writes what is stored of its objects. */
export interface ObjectCodec {
  /** Canonical JSON. The object has no `metadata.resourceVersion`. */
  encode(object: KubernetesObject, stored?: JsonParts): Buffer;
  /** Of canonical JSON, as it was stored. `sent`: parts of an object of this version that may be much the same. */
  decode(json: Buffer, sent?: JsonParts): DecodedState;
}

export interface DecodedState {
  readonly object: KubernetesObject;
  /** Of the canonical JSON. Absent: the object has other fields than what is stored of it. */
  readonly parts?: JsonParts | undefined;
}

export class StoredObject {
  readonly revision: Revision;
  /** Canonical JSON, without resourceVersion. */
  readonly json: Buffer;
  readonly #codec: ObjectCodec;
  #state: DecodedState | undefined;

  constructor(codec: ObjectCodec, revision: Revision, json: Buffer) {
    this.#codec = codec;
    this.revision = revision;
    this.json = json;
  }

  /** Decoded when first asked for. Without resourceVersion. Throws StatusError InternalError for a value that is damaged. */
  get object(): KubernetesObject {
    return this.#decoded().object;
  }

  /** Where the fields of `object` stand in `json`. */
  get parts(): JsonParts | undefined {
    return this.#decoded().parts;
  }

  /** Decodes it by way of what was sent to replace it: what is the same in both is read, and compared, no second time. */
  decodeLike(sent: JsonParts): void {
    this.#decoded(sent);
  }

  /** The same state, as another version reads it. */
  readBy(codec: ObjectCodec): StoredObject {
    return codec === this.#codec ? this : new StoredObject(codec, this.revision, this.json);
  }

  #decoded(sent?: JsonParts): DecodedState {
    try {
      return (this.#state ??= this.#codec.decode(this.json, sent));
    } catch (cause) {
      // Not the client's fault, whatever the parser says.
      throw new StatusError('InternalError', `The stored value cannot be read (revision ${this.revision})`, { cause });
    }
  }
}

/** Throws StatusError InternalError for a value that another program wrote, or that is damaged. */
export function readableRecord(definition: ResourceDefinition, { key, revision, value }: StoredRecord): RecordContent {
  const content = decodeRecord(value);
  const start = canonicalStart(definition);
  if (content?.json.subarray(0, start.byteLength).equals(start) === true && content.json.at(-1) === CLOSE_BRACE) return content;
  throw new StatusError('InternalError', `The stored value cannot be read (${keyText(key)} at revision ${revision})`);
}

const CLOSE_BRACE = 0x7d;
const canonicalStart = (definition: ResourceDefinition): Buffer => Buffer.concat([canonicalHead(definition), Buffer.from('"metadata":{')]);

/** Canonical JSON out of the form inside a list. `head`: the kind's `canonicalHead`. */
export function canonicalOfListForm(head: Buffer, { itemBytes, revision }: CachedObject): Buffer {
  const rest = LIST_FORM_METADATA.length + `"resourceVersion":"${revision}",`.length;
  const start = head.byteLength + LIST_FORM_METADATA.length - 1;
  const json = Buffer.allocUnsafe(start + itemBytes.byteLength - rest);
  itemBytes.copy(json, head.copy(json), 1, LIST_FORM_METADATA.length);
  itemBytes.copy(json, start, rest);
  return json;
}

const LIST_FORM_METADATA = '{"metadata":{';

/** As it is sent. A revision of 0, of an object that was never stored, shows no resourceVersion. */
export const toObjectBytes = (json: Buffer, revision: Revision): ObjectBytes => ({
  json: revision === NO_REVISION ? [json] : resourceVersionPieces(json, revision),
  revision,
});

/** The same from the cache, without a copy. */
export const cachedObjectBytes = (head: Buffer, { itemBytes, revision }: CachedObject): ObjectBytes => ({
  json: fromListForm(itemBytes, head),
  revision,
});
