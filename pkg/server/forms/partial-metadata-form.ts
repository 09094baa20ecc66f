/** Objects as their metadata alone (PartialObjectMetadata of meta.k8s.io): what informers that need no more ask for. */
import { canonicalHead } from '../../apimachinery/meta/object-bytes.ts';
import type { PreparedObject } from '../../watchcache/watch-cache.ts';
import { metadataEnd, toListForm } from './list-form.ts';
import { endOfJson, JSON_TYPES } from './json-answer.ts';
import { listMeta } from './list-meta.ts';
import type { ObjectForm } from './object-form.ts';

export interface PartialMetadataFormOptions {
  /** What stands before the metadata of a whole stored object. */
  readonly head: Buffer;
  readonly apiVersion: string;
  readonly id: string;
  readonly now: () => number;
}

const CLOSE_BRACE = 0x7d;
const ROW_BYTES = 48;

export function createPartialMetadataForm({ head, apiVersion, id, now }: PartialMetadataFormOptions): ObjectForm {
  const partialHead = canonicalHead({ kind: 'PartialObjectMetadata', apiVersion });
  const prepare = (listForm: Buffer): PreparedObject => new PartialMetadata(partialHead, metadataEnd(listForm));
  const toPartial = (listForm: Buffer): Buffer => {
    const partial = prepare(listForm);
    const json = Buffer.allocUnsafeSlow(partial.maxBytes);
    return json.subarray(0, partial.writeTo(json, 0, listForm, 0));
  };
  return {
    ...JSON_TYPES,
    derived: { id, now, prepare, eventObject: (listForm) => ({ bytes: toPartial(listForm), validUntil: Infinity }) },
    toObject: (json) => endOfJson(toPartial(toListForm(json, head))),
    listHead: (list) =>
      Buffer.from(`{"kind":"PartialObjectMetadataList","apiVersion":"${apiVersion}","metadata":${listMeta(list)},"items":[`),
    listTail: Buffer.from(']}\n'),
    eventSink: (sink) => sink,
  };
}

class PartialMetadata implements PreparedObject {
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

  writeTo(target: Buffer, offset: number, listForm: Buffer): number {
    let next = offset + this.#head.copy(target, offset);
    next += listForm.copy(target, next, 1, this.#end);
    target[next] = CLOSE_BRACE;
    return next + 1;
  }

  validUntil(): number {
    return Infinity;
  }
}
