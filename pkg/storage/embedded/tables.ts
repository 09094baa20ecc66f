/**
 * The LMDB file and its tables. Every put and remove of one turn of the event loop becomes one transaction, synced
 * before its promise resolves; LMDB itself shows it to readers *earlier*, so nothing above may read past the published
 * revision.
 *
 * No cursor stays open across an await (an open one keeps LMDB from reusing pages and bloats the file), and no memory
 * of the mapped file leaves this folder: what is read is copied.
 */
import { open, type Database, type RootDatabase, type RootDatabaseOptions } from 'lmdb';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toRevision, type Revision } from '../backend.ts';
import { StorageError } from '../errors.ts';
import { keyBytes, type Key } from '../keys.ts';
import {
  decodeHead,
  decodeLogEntry,
  encodeHead,
  encodeLogEntry,
  oldKey,
  readOldRevision,
  readRevisionKey,
  REVISION_BYTES,
  revisionKey,
  writeRevisionKey,
  type Head,
  type LogEntry,
} from './encoding.ts';
import { errorText } from './error-text.ts';

const FORMAT = 'coxswain-1';
export const MAX_KEY_BYTES = 1_978;
/**
 * Address space, not memory and not disk: LMDB maps the file into it and grows it by itself only when this is used up.
 */
const MAP_BYTES = 64 * 1024 ** 3;
const FIRST_REVISION = toRevision(1);
const HIGHEST = revisionKey(Number.MAX_SAFE_INTEGER);

export interface TablesOptions {
  readonly dir: string;
  /** For the test that shows what an unsynced store looks like to strace. */
  readonly noSync?: boolean;
}

/** What is kept of the history beside the tables themselves; written with every commit. */
export interface HistoryRecord {
  /** The oldest revision that may be read. */
  readonly oldest: Revision;
  /** What only revisions up to this needed is dropped. Follows `oldest`. */
  readonly dropped: Revision;
  /** Bytes of log entries that are no key's current value. */
  readonly bytes: number;
}

type Table = Database<Buffer, Buffer>;

/**
 * Keys are strings of bytes on both sides. Read by the library they would be small arrays on V8's heap, of which making
 * a string takes longer than all the rest of a record.
 */
const KEY_ENCODER = {
  /** Throws a RangeError when it does not fit, by which the library knows that it must make room. */
  writeKey: (key: Key, target: Buffer, start: number): number => {
    target.set(keyBytes(key), start);
    return start + key.length;
  },
  readKey: (source: Buffer, start: number, end: number): Key => source.toString('latin1', start, end) as Key,
};

export class Tables {
  readonly clusterId: string;
  readonly #dir: string;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #log: Table;
  readonly #head: Database<Buffer, Key>;
  readonly #old: Table;
  readonly #meta: Table;
  readonly #wanted = Buffer.alloc(REVISION_BYTES);

  constructor({ dir, noSync }: TablesOptions) {
    this.#dir = dir;
    const path = join(dir, 'store.mdb');
    const fresh = !existsSync(path);
    this.#root = open<Buffer, Buffer>({ path, mapSize: MAP_BYTES, maxDbs: 8, ...(noSync === true ? { noSync } : {}) });
    const table = (name: string): Table => this.#root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' });
    this.#log = table('log');
    // Its types know of the encoder for the root alone.
    const headOptions: RootDatabaseOptions = { encoding: 'binary', keyEncoder: KEY_ENCODER };
    this.#head = this.#root.openDB<Buffer, Key>('head', headOptions);
    this.#old = table('old');
    this.#meta = table('meta');
    const format = this.#text('format');
    if (format === undefined) {
      this.#meta.putSync(Buffer.from('clusterId'), randomBytes(8));
      this.#meta.putSync(Buffer.from('format'), Buffer.from(FORMAT));
    } else if (format !== FORMAT) {
      throw new StorageError('Unreachable', `The data folder ${dir} holds a store of format ${format}; this server reads ${FORMAT} only.`);
    }
    this.clusterId = this.#meta.getBinary(Buffer.from('clusterId'))?.toString('hex') ?? '';
    // LMDB syncs the file but not the folder that names it.
    if (fresh) for (const folder of [dir, dirname(dir)]) syncFolder(folder);
  }

  /**
   * Throws Unreachable when LMDB has shut itself, which it does after a failed write of its meta page. Its cursors then
   * find nothing, without an error, and its transactions never end: so this comes before every slice of reads, and
   * around every transaction.
   */
  assertHealthy(): void {
    let reason = 'its first table is gone';
    try {
      if (this.#text('format') === FORMAT) return;
    } catch (error) {
      reason = errorText(error);
    }
    throw new StorageError('Unreachable', `The store in ${this.#dir} cannot be used until it is restarted: ${reason}.`);
  }

  #text(key: string): string | undefined {
    return this.#meta.getBinary(Buffer.from(key))?.toString();
  }

  historyRecord(): HistoryRecord {
    const bytes = this.#meta.getBinary(Buffer.from('history'));
    if (bytes === undefined) return { oldest: FIRST_REVISION, dropped: FIRST_REVISION, bytes: 0 };
    return { oldest: toRevision(bytes.readDoubleBE(0)), dropped: toRevision(bytes.readDoubleBE(8)), bytes: bytes.readDoubleBE(16) };
  }

  /** The newest revision that LMDB shows, durable or not. */
  lastRevision(): Revision {
    for (const key of this.#log.getKeys({ start: HIGHEST, end: Buffer.alloc(1), reverse: true, limit: 1 })) return readRevisionKey(key);
    return FIRST_REVISION;
  }

  // Reads. All of one turn see one state of LMDB.

  head(key: Key): Head | undefined {
    const bytes = this.#head.getBinary(key);
    return bytes === undefined ? undefined : decodeHead(bytes);
  }

  /** Keys in byte order, deleted ones too, as long as history remembers them. */
  heads(start: Key, end: Key, limit: number): Iterable<{ readonly key: Key; readonly value: Buffer }> {
    return this.#head.getRange({ start, end, limit });
  }

  headKeys(start: Key, end: Key, limit: number): Iterable<Key> {
    return this.#head.getKeys({ start, end, limit });
  }

  /** The newest superseded revision of the key that is not above `revision`. */
  supersededAt(id: number, revision: Revision): Revision | undefined {
    for (const key of this.#old.getKeys({ start: oldKey(id, revision), end: oldKey(id, 0), reverse: true, limit: 1 }))
      return readOldRevision(key);
    return undefined;
  }

  /** LMDB's own buffer: valid until the next read, to be copied from. */
  logEntryUnsafe(revision: Revision): Buffer | undefined {
    return this.#log.getBinaryFast(writeRevisionKey(this.#wanted, revision));
  }

  /** Entries after `after` and up to `upTo`, each in memory of its own. Leaving the loop closes the cursor. */
  *logEntries(
    after: Revision,
    upTo: Revision,
    limit: number,
  ): Generator<{ readonly revision: Revision; readonly bytes: number; readonly entry: LogEntry }> {
    for (const { key, value } of this.#log.getRange({ start: revisionKey(after + 1), end: revisionKey(upTo + 1), limit })) {
      yield { revision: readRevisionKey(key), bytes: value.byteLength, entry: decodeLogEntry(value) };
    }
  }

  // Writes. All of one turn become one transaction; each returns the promise of that transaction's end on disk.

  /** Writes the revision over what the key had, and returns the key's new head. */
  append(revision: Revision, key: Key, value: Uint8Array | null, before: Head | undefined): Head {
    const name = keyBytes(key);
    const id = before?.id ?? revision;
    const entry = encodeLogEntry({ id, previous: before?.revision ?? toRevision(0), previousBytes: before?.bytes ?? 0 }, name, value);
    const head: Head = { revision, id, bytes: entry.byteLength, deleted: value === null };
    // They share one promise, which `putHistory` of the same turn returns.
    void this.#log.put(revisionKey(revision), entry);
    void this.#head.put(key, encodeHead(head));
    if (before !== undefined) void this.#old.put(oldKey(id, before.revision), Buffer.alloc(0));
    return head;
  }

  dropSuperseded(id: number, revision: Revision): void {
    void this.#log.remove(revisionKey(revision));
    void this.#old.remove(oldKey(id, revision));
  }

  /** Forgets a key whose newest revision deleted it. */
  dropDeleted(key: Key, revision: Revision): void {
    void this.#log.remove(revisionKey(revision));
    void this.#head.remove(key);
  }

  /**
   * Belongs into every transaction. Resolves when all writes of this turn are on disk; rejects when none of them may be
   * counted on.
   */
  async putHistory({ oldest, dropped, bytes }: HistoryRecord): Promise<void> {
    const value = Buffer.allocUnsafeSlow(24);
    value.writeDoubleBE(oldest, 0);
    value.writeDoubleBE(dropped, 8);
    value.writeDoubleBE(bytes, 16);
    const durable = this.#meta.put(Buffer.from('history'), value);
    // When lmdb starts the transaction, in an immediate that it has set by now, it makes one more promise and hands it
    // to nobody. It rejects with the others, and unhandled it would end the process.
    setImmediate(() => void this.#root.committed.then(undefined, () => undefined));
    await durable;
  }

  /** Makes the next read see what has been committed by now. */
  refresh(): void {
    this.#root.resetReadTxn();
  }

  async close(): Promise<void> {
    await this.#root.close();
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
