/** Reuses the memory of pages read in turn: page faults of new memory cost as much as copying the data. */

/** Pages vary in size. */
const HEADROOM = 1 / 8;

/** The memory of one page. */
export interface PageMemory {
  /** Uninitialized memory. */
  readonly take: (bytes: number) => Buffer;
  /** Everything taken may be reused from now on. */
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
    // Buffers that are too short now would not fit later pages either.
    this.#spare = [];
    return Buffer.allocUnsafeSlow(Math.ceil(bytes * (1 + HEADROOM)));
  }
}
