import type { PreparedObject } from '../../watchcache/watch-cache.ts';

/** What was prepared of an object in other bytes than the stored ones, which it therefore keeps. */
export class OfOtherBytes implements PreparedObject {
  readonly #prepared: PreparedObject;
  readonly #listForm: Buffer;

  constructor(prepared: PreparedObject, listForm: Buffer) {
    this.#prepared = prepared;
    this.#listForm = listForm;
  }

  get cost(): number {
    return this.#prepared.cost + this.#listForm.byteLength;
  }

  get maxBytes(): number {
    return this.#prepared.maxBytes;
  }

  writeTo(target: Buffer, offset: number, _listForm: Buffer, at: number): number {
    return this.#prepared.writeTo(target, offset, this.#listForm, at);
  }

  validUntil(at: number): number {
    return this.#prepared.validUntil(at);
  }
}
