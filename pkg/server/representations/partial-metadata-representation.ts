/** Objects as their metadata alone (PartialObjectMetadata of meta.k8s.io): what informers that need no more ask for. */
import { canonicalHead } from '../../apimachinery/meta/object-bytes.ts';
import type { ItemTemplate } from '../../watchcache/watch-cache.ts';
import { metadataEnd, toItemEncoding } from './item-encoding.ts';
import { withNewline, JSON_TYPES } from './json-output.ts';
import { listMeta } from './list-meta.ts';
import type { ResourceRepresentation } from './resource-representation.ts';

export interface PartialMetadataRepresentationOptions {
  /** What stands before the metadata of a whole stored object. */
  readonly head: Buffer;
  readonly apiVersion: string;
  readonly id: string;
  readonly now: () => number;
}

const CLOSE_BRACE = 0x7d;
const ROW_BYTES = 48;

export function createPartialMetadataRepresentation({
  head,
  apiVersion,
  id,
  now,
}: PartialMetadataRepresentationOptions): ResourceRepresentation {
  const partialHead = canonicalHead({ kind: 'PartialObjectMetadata', apiVersion });
  const prepare = (itemBytes: Buffer): ItemTemplate => new PartialMetadata(partialHead, metadataEnd(itemBytes));
  const toPartial = (itemBytes: Buffer): Buffer => {
    const partial = prepare(itemBytes);
    const json = Buffer.allocUnsafeSlow(partial.maxBytes);
    return json.subarray(0, partial.writeTo(json, 0, itemBytes, 0));
  };
  return {
    ...JSON_TYPES,
    items: { id, now, prepare, eventObject: (itemBytes) => ({ bytes: toPartial(itemBytes), validUntil: Infinity }) },
    toObject: (json) => withNewline(toPartial(toItemEncoding(json, head))),
    listHead: (list) =>
      Buffer.from(`{"kind":"PartialObjectMetadataList","apiVersion":"${apiVersion}","metadata":${listMeta(list)},"items":[`),
    listTail: Buffer.from(']}\n'),
    eventWriter: (writer) => writer,
  };
}

class PartialMetadata implements ItemTemplate {
  readonly #head: Buffer;
  readonly #end: number;

  constructor(head: Buffer, end: number) {
    this.#head = head;
    this.#end = end;
  }

  get cost(): number {
    return ROW_BYTES;
  }

  get maxBytes(): number {
    return this.#head.length + this.#end;
  }

  writeTo(target: Buffer, offset: number, itemBytes: Buffer): number {
    let next = offset + this.#head.copy(target, offset);
    next += itemBytes.copy(target, next, 1, this.#end);
    target[next] = CLOSE_BRACE;
    return next + 1;
  }

  validUntil(): number {
    return Infinity;
  }
}
