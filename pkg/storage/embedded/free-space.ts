/**
 * A full disk is noticed before LMDB meets it. lmdb 3.5.6 writes its report of a page that could not be written past
 * the end of a buffer (`sprintf` into 100 bytes in `mdb_page_flush`), and the process may then die at any time; so it
 * must not come to that.
 */
import { statfsSync } from 'node:fs';

/** What a transaction may need beside its values: pages of the tables, the list of free pages. */
const RESERVE_BYTES = 8 << 20;
/** Pages are larger than the values in them. */
const BYTES_PER_VALUE_BYTE = 3;

/** Bytes that this user may still write to the disk of `dir`. */
export function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}

/** Throws when `bytes` of values may not fit any more. */
export function assertRoom(free: number, bytes: number): void {
  if (free < RESERVE_BYTES + BYTES_PER_VALUE_BYTE * bytes) {
    throw new Error(`the disk is full, with ${(free / 1e6).toFixed(1)} MB left`);
  }
}
