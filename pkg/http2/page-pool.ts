/**
 * Memory that connections write their frames into, for all connections of one owner: one that has nothing to send holds
 * none.
 */

export const SMALL_PAGE_BYTES = 16 * 1024;
/** What a turn of the event loop sends to a connection at most, unless there are many answers at once. */
export const LARGE_PAGE_BYTES = 256 * 1024;
/** What is kept for the next ones: new pages for each turn would have the garbage collector at work all the time. */
const MAX_SPARE_BYTES = 8 * 1024 * 1024;

/** Some memory, and how many write to it or wait for a socket that reads it. */
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

  /** Of at least so many bytes. */
  take(bytes: number): FramePage {
    const size = bytes <= SMALL_PAGE_BYTES ? SMALL_PAGE_BYTES : Math.max(LARGE_PAGE_BYTES, bytes);
    const page = this.#spare.get(size)?.pop();
    if (page === undefined) return new FramePage(size);
    this.#spareBytes -= size;
    return page;
  }

  /** Nobody reads or writes it any more. */
  give(page: FramePage): void {
    const size = page.bytes.byteLength;
    const spare = this.#spare.get(size);
    if (spare === undefined || this.#spareBytes + size > MAX_SPARE_BYTES) return;
    spare.push(page);
    this.#spareBytes += size;
  }
}
