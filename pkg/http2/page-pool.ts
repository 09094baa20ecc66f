/** Memory for outgoing frames, shared by all connections. An idle connection holds none. */

const SMALL_PAGE_BYTES = 16 * 1024;
/** Enough for one tick of a connection, unless it sends many responses at once. */
export const LARGE_PAGE_BYTES = 256 * 1024;
/** Spare pages are cached up to this size: new pages in each tick would keep the garbage collector busy. */
const MAX_SPARE_BYTES = 8 * 1024 * 1024;

/** Reference-counted memory. */
export class FramePage {
  readonly bytes: Buffer;
  users = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }
}

/** Unused pages of one size. */
interface SparePages {
  readonly pages: FramePage[];
  /** Pages that were unused all the time since the last `trim`. */
  idle: number;
}

export class FramePagePool {
  readonly #spare = new Map<number, SparePages>([
    [SMALL_PAGE_BYTES, { pages: [], idle: 0 }],
    [LARGE_PAGE_BYTES, { pages: [], idle: 0 }],
  ]);
  #spareBytes = 0;

  /** Bytes of the unused pages. */
  get spareBytes(): number {
    return this.#spareBytes;
  }

  /** Returns a page of at least `bytes`. */
  take(bytes: number): FramePage {
    const size = bytes <= SMALL_PAGE_BYTES ? SMALL_PAGE_BYTES : Math.max(LARGE_PAGE_BYTES, bytes);
    const spare = this.#spare.get(size);
    const page = spare?.pages.pop();
    if (spare === undefined || page === undefined) return new FramePage(size);
    this.#spareBytes -= size;
    spare.idle = Math.min(spare.idle, spare.pages.length);
    return page;
  }

  release(page: FramePage): void {
    const size = page.bytes.byteLength;
    const spare = this.#spare.get(size);
    if (spare === undefined || this.#spareBytes + size > MAX_SPARE_BYTES) return;
    spare.pages.push(page);
    this.#spareBytes += size;
  }

  /** Frees the pages that were unused since the last call. To be called regularly. */
  trim(): void {
    for (const [size, spare] of this.#spare) {
      spare.pages.splice(0, spare.idle);
      this.#spareBytes -= spare.idle * size;
      spare.idle = spare.pages.length;
    }
  }
}
