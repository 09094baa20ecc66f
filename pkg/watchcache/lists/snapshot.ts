import type { Revision } from '../../storage/backend.ts';
import { type Key, keyAfter, keyText, prefixEnd, toKey } from '../../storage/keys.ts';
import type { Chunk } from '../store/chunk.ts';
import { type ChunkPosition, type Collection, locate } from '../store/collection.ts';
import type { Entry } from '../store/entry.ts';
import { ContiguousPage, type EntryPage, type NextPage, type PageSource, SelectedPage } from './page.ts';
import { type Matcher, toMatcher } from '../selection.ts';
import { ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import { unreadableList } from '../cache-errors.ts';
import type { CachedObject, CachedResource, PageQuery, Snapshot } from '../watch-cache.ts';

/** The index is used below this share of all objects, because sorting more candidates costs more than scanning. */
const MAX_INDEXED_SHARE = 1 / 16;
/** Entries tested between two checks of the clock. */
const SCAN_STEP = 512;

const NO_KEYS: ReadonlySet<Key> = new Set();

export interface SnapshotSource extends Omit<PageSource, 'find' | 'collectionGzip'> {
  /** Keys of unreadable objects, which the collection does not contain. Absent: none. */
  readonly unreadableKeys?: ReadonlySet<Key>;
}

interface KeyRange {
  readonly start: Key;
  /** Exclusive; absent: to the end. */
  readonly end?: Key;
}

export class CollectionSnapshot implements Snapshot {
  readonly revision: Revision;
  readonly size: number;
  readonly #resource: Pick<CachedResource, 'prefix' | 'namespaced' | 'resource' | 'group'>;
  readonly #collection: Collection;
  readonly #generation: number;
  readonly #replacedBytes: number;
  readonly #chunks: readonly Chunk[];
  readonly #source: PageSource;
  readonly #unreadableKeys: ReadonlySet<Key>;

  constructor(
    resource: Pick<CachedResource, 'prefix' | 'namespaced' | 'resource' | 'group'>,
    collection: Collection,
    revision: Revision,
    { cacheSpace, responseMemory, scheduler, unreadableKeys = NO_KEYS }: SnapshotSource,
  ) {
    this.#unreadableKeys = unreadableKeys;
    this.revision = revision;
    this.size = collection.size;
    this.#resource = resource;
    this.#collection = collection;
    this.#generation = collection.generation;
    this.#replacedBytes = collection.replacedBytes;
    this.#chunks = collection.freeze();
    this.#source = {
      cacheSpace,
      responseMemory,
      scheduler,
      find: (object) => collection.find(object),
      collectionGzip: (used) => (this.#isNow ? collection.collectionGzip(used) : undefined),
    };
  }

  get retainedBytes(): number {
    return this.#collection.replacedBytes - this.#replacedBytes;
  }

  get(key: Key): CachedObject | undefined {
    return this.#entry(key);
  }

  page(query: PageQuery): EntryPage {
    const matcher = toMatcher(query.selection);
    const found = this.#lookUp(query, matcher) ?? this.#contiguous(query, matcher);
    if (found !== undefined) return found;
    const scan = this.#scan(query, matcher);
    for (;;) {
      const { done, value } = scan.next();
      if (done === true) return value;
    }
  }

  async find(query: PageQuery): Promise<EntryPage> {
    const matcher = toMatcher(query.selection);
    this.#refuseUnreadable(query, matcher);
    if (matcher.labels !== undefined && matcher.name === undefined && this.#isNow) {
      await this.#collection.labels.prepare(matcher.labels, () => this.#collection.entries(), this.#source.scheduler);
    }
    const found = this.#lookUp(query, matcher) ?? this.#contiguous(query, matcher);
    if (found !== undefined) return found;
    const scan = this.#scan(query, matcher);
    const task = new ScheduledTask(this.#source.scheduler);
    for (;;) {
      const { done, value } = scan.next();
      if (done === true) return value;
      if (task.shouldYield()) await task.yield();
    }
  }

  get #isNow(): boolean {
    return this.#collection.generation === this.#generation;
  }

  #entry(key: Key): Entry | undefined {
    if (this.#isNow) return this.#collection.get(key);
    const { chunk, index } = locate(this.#chunks, key);
    const entry = this.#chunks[chunk]?.entries[index];
    return entry?.key === key ? entry : undefined;
  }

  /** Pages that need no scan: a single name, or results of the label index. */
  #lookUp(query: PageQuery, matcher: Matcher): EntryPage | undefined {
    const bounds = this.#bounds(query, matcher);
    if (matcher.name !== undefined && (!this.#resource.namespaced || matcher.namespace !== undefined)) {
      const directory = this.#resource.namespaced ? this.#directory(matcher.namespace ?? '') : this.#resource.prefix;
      const entry = this.#entry(toKey(keyText(directory) + matcher.name));
      return this.#select(entry !== undefined && entry.key >= bounds.start && matcher.matches(entry) ? [entry] : [], {});
    }
    if (matcher.labels === undefined || !this.#isNow) return undefined;
    const candidates = this.#collection.labels.candidates(matcher.labels);
    if (candidates === undefined || candidates.count > this.size * MAX_INDEXED_SHARE) return undefined;
    const found: Entry[] = [];
    for (const set of candidates.sets) {
      for (const entry of set) {
        if (entry.key >= bounds.start && (bounds.end === undefined || entry.key < bounds.end) && matcher.matches(entry)) found.push(entry);
      }
    }
    found.sort((a, b) => (a.key < b.key ? -1 : 1));
    const limit = query.limit ?? 0;
    return limit > 0 && found.length > limit ? this.#selectSome(found.slice(0, limit)) : this.#select(found, {});
  }

  /** Adjacent entries, if the selection depends only on the key. */
  #contiguous(query: PageQuery, matcher: Matcher): EntryPage | undefined {
    if (matcher.looksInside || matcher.name !== undefined || (!this.#resource.namespaced && matcher.namespace !== undefined))
      return undefined;
    const { start, end } = this.#bounds(query, matcher);
    const from = locate(this.#chunks, start);
    const stop = end === undefined ? { chunk: this.#chunks.length, index: 0 } : locate(this.#chunks, end);
    const total = this.#distance(from, stop);
    const limit = query.limit ?? 0;
    if (limit <= 0 || total <= limit) return new ContiguousPage(this.#chunks, from, stop, total, { remaining: 0 }, this.#source);
    const to = this.#advance(from, limit);
    const last = this.#advance(from, limit - 1);
    const key = this.#chunks[last.chunk]?.entries[last.index]?.key;
    const following: NextPage = { remaining: total - limit, ...(key === undefined ? {} : { next: keyAfter(key) }) };
    return new ContiguousPage(this.#chunks, from, to, limit, following, this.#source);
  }

  /** Tests every entry in bounds. Yields regularly, so that the caller can yield to other tasks. */
  *#scan(query: PageQuery, matcher: Matcher): Generator<undefined, EntryPage, undefined> {
    const { start, end } = this.#bounds(query, matcher);
    const limit = query.limit ?? 0;
    const from = locate(this.#chunks, start);
    const found: Entry[] = [];
    let tested = 0;
    for (let at = from.chunk; at < this.#chunks.length; at++) {
      const entries = this.#chunks[at]?.entries ?? [];
      for (let i = at === from.chunk ? from.index : 0; i < entries.length; i++) {
        const entry = entries[i];
        if (entry === undefined || (end !== undefined && entry.key >= end)) return this.#select(found, {});
        if (matcher.matches(entry)) {
          if (limit > 0 && found.length === limit) return this.#selectSome(found);
          found.push(entry);
        }
        if (++tested % SCAN_STEP === 0) yield undefined;
      }
    }
    return this.#select(found, {});
  }

  /** The labels and fields of an unreadable object are unknown, so any selector in its namespace may select it. */
  #refuseUnreadable(query: PageQuery, matcher: Matcher): void {
    if (this.#unreadableKeys.size === 0) return;
    const { start, end } = this.#bounds(query, matcher);
    const { name } = matcher;
    const keys = [...this.#unreadableKeys].filter(
      (key) => key >= start && (end === undefined || key < end) && (name === undefined || keyText(key).endsWith(`/${name}`)),
    );
    if (keys.length > 0) throw unreadableList(this.#resource, keys.sort());
  }

  /** For a page that is not the last. */
  #selectSome(entries: readonly Entry[]): EntryPage {
    const last = entries.at(-1);
    return this.#select(entries, last === undefined ? {} : { next: keyAfter(last.key) });
  }

  #select(entries: readonly Entry[], following: NextPage): EntryPage {
    return new SelectedPage(entries, following, this.#source);
  }

  #directory(namespace: string): Key {
    return toKey(`${keyText(this.#resource.prefix)}${namespace}/`);
  }

  #bounds(query: PageQuery, matcher: Matcher): KeyRange {
    const within = this.#resource.namespaced && matcher.namespace !== undefined ? this.#directory(matcher.namespace) : undefined;
    const first = within ?? this.#resource.prefix;
    const start = query.start !== undefined && query.start > first ? query.start : first;
    return within === undefined ? { start } : { start, end: prefixEnd(within) };
  }

  #distance(from: ChunkPosition, to: ChunkPosition): number {
    if (from.chunk > to.chunk || (from.chunk === to.chunk && from.index >= to.index)) return 0;
    let count = to.index - from.index;
    for (let at = from.chunk; at < to.chunk; at++) count += this.#chunks[at]?.entries.length ?? 0;
    return count;
  }

  #advance(from: ChunkPosition, count: number): ChunkPosition {
    let left = count + from.index;
    for (let at = from.chunk; at < this.#chunks.length; at++) {
      const { length } = this.#chunks[at]?.entries ?? [];
      if (left < length) return { chunk: at, index: left };
      left -= length;
    }
    return { chunk: this.#chunks.length, index: 0 };
  }
}
