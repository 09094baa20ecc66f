import { type ChunkForm, SLOT_BYTES } from './chunk-form.ts';
import type { Element } from './element.ts';
import { KeptBlock } from './kept-block.ts';

/** What an element costs besides its bytes, and each Buffer that holds some, about. */
const ELEMENT_BYTES = 48;
const BUFFER_BYTES = 160;
/** A Buffer may hold at most this share of bytes of objects that are gone, before the others leave it. */
const MAX_DEAD_SHARE = 1 / 4;

/**
 * What a chunk remembers of its objects in a bare form. They are joined into one Buffer when all of them are known, which lists write as it is; the
 * elements then look into it. A chunk that takes another's place takes over the elements, and with them what is left of that Buffer.
 */
export class ElementChunk implements ChunkForm {
  readonly block = new KeptBlock();
  readonly #elements: (Element | undefined)[];
  #known = 0;
  /** Of all Buffers that hold elements, whatever else is in them. */
  #heldBytes = 0;
  #joined: Buffer | undefined;

  /** `elements`, in the order of the chunk, become its own. */
  constructor(elements: (Element | undefined)[]) {
    this.#elements = elements;
    const buffers = new Set<Buffer>();
    let size = 0;
    let dead = 0;
    for (const element of elements) {
      if (element === undefined) continue;
      this.#known++;
      size += element.size;
      dead -= element.size;
      if (buffers.has(element.backing)) continue;
      buffers.add(element.backing);
      dead += element.backing.byteLength;
    }
    if (dead > size * MAX_DEAD_SHARE) this.#gather();
    else this.#heldBytes = size + dead + buffers.size * BUFFER_BYTES;
  }

  get bytes(): number {
    return this.#elements.length * SLOT_BYTES + this.#known * ELEMENT_BYTES + this.#heldBytes + this.block.bytes;
  }

  get isEmpty(): boolean {
    return this.#known === 0;
  }

  known(index: number): Element | undefined {
    return this.#elements[index];
  }

  add(index: number, element: Element): void {
    // Another list has been faster.
    if (this.#elements[index] !== undefined) return;
    this.#elements[index] = element;
    this.#known++;
    this.#heldBytes += element.backing.byteLength + BUFFER_BYTES;
  }

  /** Puts all of them side by side; does nothing as long as one is unknown. */
  join(): void {
    if (this.#joined === undefined && this.#isComplete) this.#gather();
  }

  /** Those of the places `from` to `to`, exclusive, once they are joined. */
  joinedRun(from: number, to: number): Buffer | undefined {
    const [first, last] = [this.#elements[from], this.#elements[to - 1]];
    return first === undefined || last === undefined ? undefined : this.#joined?.subarray(first.start, last.end);
  }

  get #isComplete(): boolean {
    return this.#known > 0 && this.#known === this.#elements.length;
  }

  /** Moves all that are known into one Buffer. */
  #gather(): void {
    const size = this.#elements.reduce((sum, element) => sum + (element?.size ?? 0), 0);
    const target = Buffer.allocUnsafeSlow(size);
    let offset = 0;
    for (const element of this.#elements) offset = element?.moveTo(target, offset) ?? offset;
    this.#heldBytes = size + BUFFER_BYTES;
    if (this.#isComplete) this.#joined = target;
  }
}
