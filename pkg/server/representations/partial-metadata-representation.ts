/** PartialObjectMetadata (meta.k8s.io): what metadata informers request. */
import { metadataEnd, ObjectEncoding } from '../../apimachinery/meta/object-encoding.ts';
import type { ItemTemplate } from '../../watchcache/representations/representation.ts';
import { withNewline, JSON_TYPES } from './json-output.ts';
import { listMeta } from './list-meta.ts';
import type { ResourceRepresentation } from './resource-representation.ts';

export interface PartialMetadataRepresentationOptions {
  /** Encoding of the stored objects. */
  readonly encoding: ObjectEncoding;
  readonly apiVersion: string;
  readonly id: string;
  readonly now: () => number;
}

const CLOSE_BRACE = 0x7d;
const ROW_BYTES = 48;

export function createPartialMetadataRepresentation({
  encoding,
  apiVersion,
  id,
  now,
}: PartialMetadataRepresentationOptions): ResourceRepresentation {
  const partialHead = new ObjectEncoding({ kind: 'PartialObjectMetadata', apiVersion }).head;
  const template = (itemBytes: Buffer): ItemTemplate => new PartialMetadata(partialHead, metadataEnd(itemBytes));
  const toPartial = (itemBytes: Buffer): Buffer => {
    const partial = template(itemBytes);
    const json = Buffer.allocUnsafeSlow(partial.maxBytes);
    return json.subarray(0, partial.writeTo(json, 0, itemBytes, 0));
  };
  return {
    ...JSON_TYPES,
    items: { id, now, template, eventObject: (itemBytes) => ({ bytes: toPartial(itemBytes), validUntil: Infinity }) },
    toObject: (json) => withNewline(toPartial(encoding.itemOfSingleObject(json))),
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
