/**
 * The LMDB file and its tables. All writes of one tick of the event loop form one transaction, synced before its
 * promise resolves. LMDB shows it to readers earlier, so callers must not read beyond the published revision.
 *
 * No cursor stays open across an await, because that prevents LMDB from reusing pages. No view of the mapped file
 * leaves this folder.
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
import { errorMessage } from '../../apimachinery/status/error-message.ts';

const FORMAT = 'coxswain-1';
export const MAX_KEY_BYTES = 1_978;
/** Reserved address space, which takes neither memory nor disk. */
const MAP_BYTES = 64 * 1024 ** 3;
const FIRST_REVISION = toRevision(1);
const MAX_REVISION_KEY = revisionKey(Number.MAX_SAFE_INTEGER);

interface TablesOptions {
  readonly dir: string;
  readonly noSync?: boolean;
}

/** The state of the history, written with every transaction. */
export interface HistoryRecord {
  /** The oldest revision that may be read. */
  readonly oldest: Revision;
  /** Entries that only revisions up to this one needed are dropped. Follows `oldest`. */
  readonly dropped: Revision;
  /** Size of the log entries that are not current values. */
  readonly bytes: number;
}

type Table = Database<Buffer, Buffer>;

/** Reads keys as byte strings. The library would return small Buffers, whose conversion would take most of the time. */
const KEY_ENCODER = {
  /** A RangeError makes the library enlarge `target`. */
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
  readonly #revisionKey = Buffer.alloc(REVISION_BYTES);

  constructor({ dir, noSync }: TablesOptions) {
    this.#dir = dir;
    const path = join(dir, 'store.mdb');
    const fresh = !existsSync(path);
    this.#root = open<Buffer, Buffer>({ path, mapSize: MAP_BYTES, maxDbs: 8, ...(noSync === true ? { noSync } : {}) });
    const table = (name: string): Table => this.#root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' });
    this.#log = table('log');
    // The type declarations allow the encoder only for the root.
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
    // LMDB syncs the file but not its folder.
    if (fresh) for (const folder of [dir, dirname(dir)]) syncFolder(folder);
  }

  /**
   * Throws Unreachable when LMDB has disabled itself after a failed write of its meta page. Cursors then silently find
   * nothing, and transactions never end. Must be called before reads, and before and after every transaction.
   */
  assertHealthy(): void {
    const problem = this.problem();
    if (problem === undefined) return;
    throw new StorageError('Unreachable', `The store in ${this.#dir} cannot be used until it is restarted: ${problem}.`);
  }

  problem(): string | undefined {
    try {
      return this.#text('format') === FORMAT ? undefined : 'its first table is missing';
    } catch (error) {
      return errorMessage(error);
    }
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
    for (const key of this.#log.getKeys({ start: MAX_REVISION_KEY, end: Buffer.alloc(1), reverse: true, limit: 1 }))
      return readRevisionKey(key);
    return FIRST_REVISION;
  }

  // Reads. All reads of one tick see the same state.

  head(key: Key): Head | undefined {
    const bytes = this.#head.getBinary(key);
    return bytes === undefined ? undefined : decodeHead(bytes);
  }

  /** In byte order, including deleted keys that are still in the history. */
  heads(start: Key, end: Key, limit: number): Iterable<{ readonly key: Key; readonly value: Buffer }> {
    return this.#head.getRange({ start, end, limit });
  }

  headKeys(start: Key, end: Key, limit: number): Iterable<Key> {
    return this.#head.getKeys({ start, end, limit });
  }

  /** The newest superseded revision of the key up to `revision`. */
  supersededAt(id: number, revision: Revision): Revision | undefined {
    for (const key of this.#old.getKeys({ start: oldKey(id, revision), end: oldKey(id, 0), reverse: true, limit: 1 }))
      return readOldRevision(key);
    return undefined;
  }

  /** Returns LMDB's own buffer, which is valid until the next read. */
  logEntryUnsafe(revision: Revision): Buffer | undefined {
    return this.#log.getBinaryFast(writeRevisionKey(this.#revisionKey, revision));
  }

  /** Copies of the entries after `after` up to `upTo`. Leaving the loop closes the cursor. */
  *logEntries(
    after: Revision,
    upTo: Revision,
    limit: number,
  ): Generator<{ readonly revision: Revision; readonly bytes: number; readonly entry: LogEntry }> {
    for (const { key, value } of this.#log.getRange({ start: revisionKey(after + 1), end: revisionKey(upTo + 1), limit })) {
      yield { revision: readRevisionKey(key), bytes: value.byteLength, entry: decodeLogEntry(value) };
    }
  }

  // Writes. All writes of one tick form one transaction.

  /** Writes a new revision of the key and returns its new head. */
  append(revision: Revision, key: Key, value: Uint8Array | null, before: Head | undefined): Head {
    const name = keyBytes(key);
    const id = before?.id ?? revision;
    const entry = encodeLogEntry({ id, previous: before?.revision ?? toRevision(0), previousBytes: before?.bytes ?? 0 }, name, value);
    const head: Head = { revision, id, bytes: entry.byteLength, deleted: value === null };
    // The promise of the transaction is that of `putHistory` in the same tick.
    void this.#log.put(revisionKey(revision), entry);
    void this.#head.put(key, encodeHead(head));
    if (before !== undefined) void this.#old.put(oldKey(id, before.revision), Buffer.alloc(0));
    return head;
  }

  dropSuperseded(id: number, revision: Revision): void {
    void this.#log.remove(revisionKey(revision));
    void this.#old.remove(oldKey(id, revision));
  }

  /** Removes a key whose newest revision is a deletion. */
  dropDeleted(key: Key, revision: Revision): void {
    void this.#log.remove(revisionKey(revision));
    void this.#head.remove(key);
  }

  /** Part of every transaction. Resolves when all writes of this tick are on disk. Rejects when that is uncertain. */
  async putHistory({ oldest, dropped, bytes }: HistoryRecord): Promise<void> {
    const value = Buffer.allocUnsafeSlow(24);
    value.writeDoubleBE(oldest, 0);
    value.writeDoubleBE(dropped, 8);
    value.writeDoubleBE(bytes, 16);
    const durable = this.#meta.put(Buffer.from('history'), value);
    // lmdb creates another promise when it starts the transaction, in an immediate set before this one. Nothing handles
    // its rejection, which would end the process.
    setImmediate(() => void this.#root.committed.then(undefined, () => undefined));
    await durable;
  }

  /** Makes committed data visible to the next read. */
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
