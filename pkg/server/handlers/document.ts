/** A document that does not change while the server runs. It and its gzip are created on first use and cached. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Document {
  readonly bytes: Buffer;
  /** SHA-512 of the bytes in upper-case hex. Clients compare it and send it as `?hash=`. */
  readonly hash: string;
  /** Creation time in milliseconds since the epoch. */
  readonly madeAt: number;
  readonly gzip: () => Promise<Buffer>;
}

export type LazyDocument = () => Promise<Document>;

/** `make` runs once. Failures are not cached. */
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
