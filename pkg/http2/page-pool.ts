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

export class FramePagePool {
  readonly #spare = new Map<number, FramePage[]>([
    [SMALL_PAGE_BYTES, []],
    [LARGE_PAGE_BYTES, []],
  ]);
  #spareBytes = 0;

  /** Returns a page of at least `bytes`. */
  take(bytes: number): FramePage {
    const size = bytes <= SMALL_PAGE_BYTES ? SMALL_PAGE_BYTES : Math.max(LARGE_PAGE_BYTES, bytes);
    const page = this.#spare.get(size)?.pop();
    if (page === undefined) return new FramePage(size);
    this.#spareBytes -= size;
    return page;
  }

  release(page: FramePage): void {
    const size = page.bytes.byteLength;
    const spare = this.#spare.get(size);
    if (spare === undefined || this.#spareBytes + size > MAX_SPARE_BYTES) return;
    spare.push(page);
    this.#spareBytes += size;
  }
}
