/**
 * Memory for pages that are read one after the other and not kept. The system gives memory to a process at its first
 * touch, which for a fill costs as much as the copying does: so what one page was read into is used for a later one.
 */

/** A page may be a little longer than the one before. */
const HEADROOM = 1 / 8;

/** Where the values of one page lie. */
export interface PageMemory {
  /** So many bytes, with anything in them. */
  readonly take: (bytes: number) => Buffer;
  /** Nobody looks into what was taken any more. */
  readonly release: () => void;
}

export class PagePool {
  #spare: Buffer[] = [];

  page(): PageMemory {
    const taken: Buffer[] = [];
    return {
      take: (bytes) => {
        const buffer = this.#take(bytes);
        taken.push(buffer);
        return buffer.subarray(0, bytes);
      },
      release: () => {
        this.#spare.push(...taken.splice(0));
      },
    };
  }

  #take(bytes: number): Buffer {
    const index = this.#spare.findIndex(({ byteLength }) => byteLength >= bytes);
    const [found] = index < 0 ? [] : this.#spare.splice(index, 1);
    if (found !== undefined) return found;
    // Pages do not become shorter again: what is too short now stays so.
    this.#spare = [];
    return Buffer.allocUnsafeSlow(Math.ceil(bytes * (1 + HEADROOM)));
  }
}
