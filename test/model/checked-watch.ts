/** A watch of a collection, compared event by event with what its history says. */
import type { ApiObject } from '../support/api-object.ts';
import type { WatchEvent, WatchStream } from '../support/watch-stream.ts';
import { same, type CheckedCollection } from './checked-collection.ts';
import type { Matches } from './object-history.ts';
import { toMatches, toParameters, type ModelSelection } from './selections.ts';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/**
 * `list`: initial events of the newest state, closed by a bookmark. `list from`: of a state not older than one that
 * was. `unset`, `zero`: as older clients begin, who are told where the state ends only when they ask for bookmarks.
 * `after`: changes after a revision.
 */
export type Begin = { readonly is: 'list' | 'unset' | 'zero' } | { readonly is: 'list from' | 'after'; readonly back: number };

export interface CheckedWatchOptions {
  readonly selection: ModelSelection;
  readonly begin: Begin;
  readonly bookmarks: boolean;
  /** By the path with `/watch/` in it, that of the object where the selection names one. */
  readonly byPath: boolean;
  /** Metadata alone. */
  readonly partial: boolean;
  /** The server ends it after a second. */
  readonly brief: boolean;
}

/** A watch that ends later than this after a change has been sent it. */
const QUIET_MS = 200;
const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

export class CheckedWatch {
  readonly selection: ModelSelection;
  readonly brief: boolean;
  readonly #collection: CheckedCollection;
  readonly #options: CheckedWatchOptions;
  readonly #stream: WatchStream;
  readonly #matches: Matches;
  /** The newest revision that was known when it was asked for. */
  readonly #askedAt: number;
  /** The initial events may show no state older than this. */
  readonly #least: number;
  /** Changes after this are its events; undefined until the initial events have told. */
  #after: number | undefined;
  #seen = 0;
  #endedAt = Infinity;
  #bookmark = 0;

  private constructor(collection: CheckedCollection, options: CheckedWatchOptions, stream: WatchStream, askedAt: number) {
    this.selection = options.selection;
    this.brief = options.brief;
    this.#collection = collection;
    this.#options = options;
    this.#stream = stream;
    this.#askedAt = askedAt;
    this.#least = options.begin.is === 'list from' ? collection.history.revisionBack(options.begin.back) : askedAt;
    void stream.ended.then(() => (this.#endedAt = performance.now()));
    this.#matches = toMatches(options.selection, collection.kind, collection.spaces);
    if (options.begin.is === 'after') this.#after = collection.history.revisionBack(options.begin.back);
  }

  static async open(collection: CheckedCollection, options: CheckedWatchOptions): Promise<CheckedWatch> {
    const { begin, selection } = options;
    const { history, kind, run } = collection;
    const isList = begin.is === 'list' || begin.is === 'list from';
    const askedAt = history.revision;
    const isOfObject = options.byPath && selection.name !== undefined && selection.space !== undefined;
    const { name, ...others } = selection;
    const parameters = new URLSearchParams({
      // An old path is a watch by itself, but takes what only watches are asked for when it is said again.
      ...(options.byPath && !isList ? {} : { watch: 'true' }),
      // Who selects fields of an object by its path has to say its name again.
      ...toParameters(isOfObject && selection.urgent === undefined ? others : selection, kind, run),
      ...(isList ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' } : {}),
      ...(isList || options.bookmarks ? { allowWatchBookmarks: 'true' } : {}),
      ...('back' in begin ? { resourceVersion: String(history.revisionBack(begin.back)) } : {}),
      ...(begin.is === 'zero' ? { resourceVersion: '0' } : {}),
      ...(options.brief ? { timeoutSeconds: '1' } : {}),
    });
    const headers = options.partial ? { accept: PARTIAL } : {};
    const collectionPath = collection.collectionPath(selection.space);
    const ordinary = isOfObject ? `${collectionPath}/${name}` : collectionPath;
    const path = `${options.byPath ? ordinary.replace(kind.root, `${kind.root}/watch`) : ordinary}?${parameters.toString()}`;
    return new CheckedWatch(collection, options, await collection.api.watch(path, headers), askedAt);
  }

  /** Everything that the history says it must have sent by now, and nothing else. */
  async check(): Promise<void> {
    if (this.#after === undefined) await this.#readInitialEvents();
    const expected = this.#collection.history.eventsAfter(this.#after ?? 0, this.#matches);
    while (this.#seen < expected.length) {
      const event = await this.#stream.next();
      if (event.type === 'BOOKMARK') this.#checkBookmark(event, expected);
      else this.#checkEvent(event, expected[this.#seen++]);
    }
    while (this.#stream.pending().length > 0) {
      const event = await this.#stream.next();
      if (event.type !== 'BOOKMARK') throw new Error(`one event too many: ${JSON.stringify(event)}`);
      this.#checkBookmark(event, expected);
    }
  }

  /**
   * Of a brief one, whose time may have been over before the story was: it was sent the beginning of what it would have
   * been sent, and with bookmarks it was told how far that goes.
   */
  async checkEnd(): Promise<void> {
    const end = await this.#stream.ended;
    if (end !== 'end') throw new Error(`a watch with a timeout ended by ${end}`);
    if (!this.#hasInitialEvents()) return;
    if (this.#after === undefined) await this.#readInitialEvents();
    const { history } = this.#collection;
    const expected = history.eventsAfter(this.#after ?? 0, this.#matches);
    let last: WatchEvent | undefined;
    while (this.#stream.pending().length > 0) {
      last = await this.#stream.next();
      if (last.type === 'BOOKMARK') this.#checkBookmark(last, expected);
      else this.#checkEvent(last, expected[this.#seen++]);
    }
    if (!this.#tellsEnd || last?.type === 'BOOKMARK') return;
    // It is not told while a change is on its way to it.
    if (history.changedAt < this.#endedAt - QUIET_MS) throw new Error('no bookmark before the end');
  }

  /** Whether it asked for bookmarks. */
  get #tellsEnd(): boolean {
    const { begin, bookmarks } = this.#options;
    return bookmarks || begin.is === 'list' || begin.is === 'list from';
  }

  /** Of one that has ended. */
  #hasInitialEvents(): boolean {
    if (this.#after !== undefined) return true;
    const arrived = this.#stream.pending();
    if (this.#tellsEnd) return arrived.some(({ type }) => type === 'BOOKMARK');
    return arrived.length >= this.#collection.history.stateAt(this.#askedAt, this.#matches).length;
  }

  close(): void {
    this.#stream.close();
  }

  async #readInitialEvents(): Promise<void> {
    const { history } = this.#collection;
    // Who asks for bookmarks is told where the state ends, however it was asked for.
    if (!this.#tellsEnd) {
      // Opened while nobody wrote: the state is the one at that time.
      this.#after = this.#askedAt;
      for (const object of history.stateAt(this.#askedAt, this.#matches))
        this.#checkEvent(await this.#stream.next(), { type: 'ADDED', object });
      return;
    }
    const events = await this.#stream.until(({ type }) => type === 'BOOKMARK');
    const { annotations, resourceVersion } = events.at(-1)?.object.metadata ?? {};
    same(annotations, { [INITIAL_EVENTS_END]: 'true' }, 'the bookmark behind the initial events');
    this.#after = this.#bookmark = Number(resourceVersion);
    if (this.#after < this.#least) throw new Error(`the state of ${this.#after} was sent, older than ${this.#least}`);
    history.saw(this.#after);
    const state = history.stateAt(this.#after, this.#matches);
    same(
      events.slice(0, -1),
      state.map((object) => ({ type: 'ADDED', object: this.#shown(object) })),
      'the initial events',
    );
  }

  #checkEvent(event: WatchEvent, expected: WatchEvent | undefined): void {
    same(event, expected && { type: expected.type, object: this.#shown(expected.object) }, 'an event');
    if (Number(event.object.metadata.resourceVersion) <= this.#bookmark) throw new Error(`behind the bookmark: ${JSON.stringify(event)}`);
  }

  /** It may stand for nothing that was not sent, and not for less than before. */
  #checkBookmark({ object }: WatchEvent, expected: readonly WatchEvent[]): void {
    const revision = Number(object.metadata.resourceVersion);
    if (object.metadata.annotations !== undefined) throw new Error(`a second end of the initial events: ${JSON.stringify(object)}`);
    if (revision < this.#bookmark) throw new Error(`the bookmark ${revision} comes behind ${this.#bookmark}`);
    const unsent = expected[this.#seen];
    if (unsent !== undefined && Number(unsent.object.metadata.resourceVersion) <= revision)
      throw new Error(`the bookmark ${revision} is ahead of ${JSON.stringify(unsent)}`);
    const sent = expected[this.#seen - 1];
    if (sent !== undefined && Number(sent.object.metadata.resourceVersion) > revision)
      throw new Error(`the bookmark ${revision} is older than ${JSON.stringify(sent)}`);
    this.#bookmark = revision;
  }

  #shown(object: ApiObject): object {
    if (!this.#options.partial) return object;
    return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
  }
}
