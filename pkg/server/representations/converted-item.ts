import type { ItemTemplate } from '../../watchcache/representations/representation.ts';

/** An item template built from converted bytes, which it holds. */
export class ConvertedItem implements ItemTemplate {
  readonly #prepared: ItemTemplate;
  readonly #itemBytes: Buffer;

  constructor(prepared: ItemTemplate, itemBytes: Buffer) {
    this.#prepared = prepared;
    this.#itemBytes = itemBytes;
  }

  get cost(): number {
    return this.#prepared.cost + this.#itemBytes.byteLength;
  }

  get maxBytes(): number {
    return this.#prepared.maxBytes;
  }

  writeTo(target: Buffer, offset: number, _itemBytes: Buffer, at: number): number {
    return this.#prepared.writeTo(target, offset, this.#itemBytes, at);
  }

  validUntil(at: number): number {
    return this.#prepared.validUntil(at);
  }
}
