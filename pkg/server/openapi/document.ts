/** One document as it is sent. It is made on first demand and then kept; so is its compressed form. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Document {
  readonly bytes: Buffer;
  /** SHA-512 of the bytes, in upper-case hex: what clients compare and name in `?hash=`. */
  readonly hash: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  readonly gzipped: () => Promise<Buffer>;
}

export type LazyDocument = () => Promise<Document>;

/** `make` runs once, unless it fails: then the next one who asks tries again. */
export function createDocument(make: () => Promise<Buffer>, now: () => number): LazyDocument {
  return once(async () => {
    const bytes = await make();
    return {
      bytes,
      hash: createHash('sha512').update(bytes).digest('hex').toUpperCase(),
      madeAt: now(),
      gzipped: once(() => promisify(gzip)(bytes)),
    };
  });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
