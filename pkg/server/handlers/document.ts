/** A document that never changes while the server runs. It is made on first use and cached, and so is its gzip. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Document {
  readonly bytes: Buffer;
  /** SHA-512 of the bytes in upper-case hex: clients compare it and send it as `?hash=`. */
  readonly hash: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  readonly gzip: () => Promise<Buffer>;
}

export type LazyDocument = () => Promise<Document>;

/** `make` runs once. A failure is not cached: the next call tries again. */
export function createDocument(make: () => Promise<Buffer>, now: () => number): LazyDocument {
  return once(async () => {
    const bytes = await make();
    return {
      bytes,
      hash: createHash('sha512').update(bytes).digest('hex').toUpperCase(),
      madeAt: now(),
      gzip: once(() => promisify(gzip)(bytes)),
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
