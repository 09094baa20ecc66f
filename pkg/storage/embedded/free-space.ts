/**
 * Detects a full disk before LMDB does: lmdb 3.5.6 overflows a buffer when it reports a failed page write (`sprintf`
 * into
 * 100 bytes in `mdb_page_flush`), which may crash the process.
 */
import { statfsSync } from 'node:fs';

/** A transaction also writes pages of the tables and the list of free pages. */
const RESERVE_BYTES = 8 << 20;
/** Pages are larger than the values in them. */
const BYTES_PER_VALUE_BYTE = 3;

/** Free bytes for this user on the disk of `dir`. */
export function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}

/** Throws when `bytes` of values may not fit. */
export function assertRoom(free: number, bytes: number): void {
  if (free < RESERVE_BYTES + BYTES_PER_VALUE_BYTE * bytes) {
    throw new Error(`the disk is full, with ${(free / 1e6).toFixed(1)} MB left`);
  }
}
