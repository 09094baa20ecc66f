import type { ItemTemplate } from '../../watchcache/representations/representation.ts';

/** An item template built from converted bytes, which it holds. */
export class ConvertedItem implements ItemTemplate {
  readonly #template: ItemTemplate;
  readonly #itemBytes: Buffer;

  constructor(template: ItemTemplate, itemBytes: Buffer) {
    this.#template = template;
    this.#itemBytes = itemBytes;
  }

  get cost(): number {
    return this.#template.cost + this.#itemBytes.byteLength;
  }

  get maxBytes(): number {
    return this.#template.maxBytes;
  }

  writeTo(target: Buffer, offset: number, _itemBytes: Buffer, at: number): number {
    return this.#template.writeTo(target, offset, this.#itemBytes, at);
  }

  validUntil(at: number): number {
    return this.#template.validUntil(at);
  }
}
