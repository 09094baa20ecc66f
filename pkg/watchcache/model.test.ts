/** Compares the cache with a naive model over random histories. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gunzipSync } from 'node:zlib';
import { createFieldSelector, createLabelSelector } from '../apimachinery/selectors/selector.ts';
import { systemClock } from '../apimachinery/time/clock.ts';
import { silentLog } from '../observability/logging.ts';
import { type Revision, toRevision } from '../storage/backend.ts';
import { StorageError } from '../storage/errors.ts';
import { type Key, keyAfter } from '../storage/keys.ts';
import { FakeBackend } from '../../test/support/fake-backend.ts';
import { MemoryResponseWriter } from '../../test/support/memory-response-writer.ts';
import { createStampedRepresentation, stamped } from '../../test/support/stamped-representation.ts';
import { waitFor } from '../../test/support/wait.ts';
import { jsonOf, keyOf, itemEncodingOf, WIDGET_HEAD, widgets } from '../../test/support/widgets.ts';
import { openWatchCache } from './open-watch-cache.ts';
import { ENTRY_MEMORIES } from '../../test/support/entry-memories.ts';
import type { EntryMemory } from './store/entry-memory.ts';
import type { ResourceCache, Selection, Snapshot, WatchCache, WatchOutcome } from './watch-cache.ts';

interface ModelObject {
  readonly key: Key;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly color: string;
  readonly json: string;
  readonly revision: number;
}

type State = ReadonlyMap<Key, ModelObject>;

interface ModelSelection {
  readonly namespace?: string;
  readonly name?: string;
  readonly tier?: string;
  readonly notTier?: string;
  readonly color?: string;
}

const matches = (s: ModelSelection, o: ModelObject): boolean =>
  (s.namespace === undefined || o.namespace === s.namespace) &&
  (s.name === undefined || o.name === s.name) &&
  (s.tier === undefined || o.labels['tier'] === s.tier) &&
  (s.notTier === undefined || o.labels['tier'] !== s.notTier) &&
  (s.color === undefined || o.color === s.color);

function toSelection({ namespace, name, tier, notTier, color }: ModelSelection): Selection {
  const requirements = [
    ...(tier === undefined ? [] : [{ key: 'tier', operator: 'in' as const, values: [tier], spelling: '=' as const }]),
    ...(notTier === undefined ? [] : [{ key: 'tier', operator: 'notIn' as const, values: [notTier], spelling: '!=' as const }]),
  ];
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(requirements.length === 0 ? {} : { labels: createLabelSelector(requirements) }),
    ...(color === undefined ? {} : { fields: createFieldSelector([{ field: 'spec.color', operator: '=', value: color }]) }),
  };
}

const sorted = (state: State): ModelObject[] => [...state.values()].sort((a, b) => (a.key < b.key ? -1 : 1));

const namespaces = ['a', 'a-b', 'b'];
const colors = ['red', 'green'];
const tiers = ['web', 'db'];
const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const selections: fc.Arbitrary<ModelSelection> = fc
  .record({
    namespace: optional(namespaces),
    name: fc.option(
      fc.nat(40).map((n) => `w${n}`),
      { nil: undefined, freq: 4 },
    ),
    tier: optional(tiers),
    notTier: fc.option(fc.constantFrom(...tiers), { nil: undefined, freq: 4 }),
    color: optional(colors),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));

type Step =
  | {
      readonly do: 'put';
      readonly namespace: string;
      readonly n: number;
      readonly tier: string | undefined;
      readonly color: string;
      readonly size: number;
    }
  | { readonly do: 'delete'; readonly namespace: string; readonly n: number }
  | { readonly do: 'list'; readonly selection: ModelSelection; readonly limit: number; readonly gzip: boolean; readonly formed: boolean }
  | { readonly do: 'tick'; readonly ms: number }
  | { readonly do: 'walk'; readonly selection: ModelSelection; readonly limit: number }
  | { readonly do: 'retain' }
  | { readonly do: 'recall'; readonly which: number }
  | { readonly do: 'watch'; readonly selection: ModelSelection; readonly back: number; readonly initial: boolean; readonly formed: boolean }
  | { readonly do: 'pause' | 'resume' | 'stop'; readonly which: number }
  | { readonly do: 'hold' | 'release' | 'lose' | 'yield' };

const names = fc.nat(40);
const puts = fc.record({
  do: fc.constant('put' as const),
  namespace: fc.constantFrom(...namespaces),
  n: names,
  tier: optional(tiers),
  color: fc.constantFrom(...colors),
  // Occasionally larger than a chunk.
  size: fc.oneof(
    { weight: 30, arbitrary: fc.nat(3000) },
    { weight: 3, arbitrary: fc.nat(100_000) },
    { weight: 1, arbitrary: fc.constant(300_000) },
  ),
});
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: puts },
  { weight: 15, arbitrary: fc.record({ do: fc.constant('delete' as const), namespace: fc.constantFrom(...namespaces), n: names }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      selection: selections,
      limit: fc.constantFrom(0, 0, 1, 7),
      gzip: fc.boolean(),
      formed: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tick' as const), ms: fc.nat(12) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('walk' as const), selection: selections, limit: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('retain' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('recall' as const), which: fc.nat() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('watch' as const),
      selection: selections,
      back: fc.nat(30),
      initial: fc.boolean(),
      formed: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'stop' as const), which: fc.nat() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('hold' as const, 'release' as const, 'yield' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
);

interface OpenWatch {
  readonly selection: ModelSelection;
  readonly writer: MemoryResponseWriter;
  readonly stop: AbortController;
  readonly initial: boolean;
  readonly formed: boolean;
  /** Without initial events: where it starts. */
  readonly from: number;
  readonly outcome: Promise<WatchOutcome>;
  ended: WatchOutcome | undefined;
}

interface Line {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly resourceVersion?: string; readonly annotations?: Readonly<Record<string, string>> };
    readonly code?: number;
  };
}

class World {
  readonly backend = new FakeBackend();
  /** The state at each revision. */
  readonly history = new Map<number, State>([[1, new Map()]]);
  readonly changes: { readonly revision: number; readonly before: ModelObject | undefined; readonly after: ModelObject | undefined }[] = [];
  readonly watches: OpenWatch[] = [];
  readonly retained: { readonly revision: Revision; readonly snapshot: Snapshot }[] = [];
  time = 0;
  readonly representation = createStampedRepresentation(() => this.time);
  readonly cache: WatchCache;

  constructor(createMemory: () => EntryMemory) {
    this.cache = openWatchCache({
      backend: this.backend,
      resources: [widgets],
      clock: systemClock,
      log: silentLog,
      initialEventsEnd: 'example.com/end',
      maxQueuedBytes: 4096,
      createMemory,
    });
  }

  get resource(): ResourceCache {
    return this.cache.resource('widgets.example.com');
  }

  get now(): State {
    return this.stateAt(this.backend.revision);
  }

  stateAt(revision: number): State {
    const state = this.history.get(revision);
    if (state === undefined) throw new Error(`no state at ${revision}`);
    return state;
  }

  write(key: Key, after: Omit<ModelObject, 'revision'> | undefined): void {
    const before = this.now.get(key);
    if (after === undefined && before === undefined) return;
    const next = new Map(this.now);
    const revision = after === undefined ? this.backend.delete(key) : this.backend.put(key, after.json);
    const written = after === undefined ? undefined : { ...after, revision };
    if (written === undefined) next.delete(key);
    else next.set(key, written);
    this.history.set(revision, next);
    this.changes.push({ revision, before, after: written });
  }

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'put': {
        const name = `w${step.n}`;
        const labels: Readonly<Record<string, string>> = step.tier === undefined ? {} : { tier: step.tier };
        const json = jsonOf(step.namespace, name, labels, { color: step.color, pad: 'x'.repeat(step.size) });
        const key = keyOf(step.namespace, name);
        this.write(key, { key, namespace: step.namespace, name, labels, color: step.color, json });
        return;
      }
      case 'delete':
        this.write(keyOf(step.namespace, `w${step.n}`), undefined);
        return;
      case 'list':
        await this.checkList(step.selection, step.limit, step.gzip, step.formed);
        return;
      case 'tick':
        this.time += step.ms;
        return;
      case 'walk':
        await this.checkWalk(step.selection, step.limit);
        return;
      case 'retain': {
        const snapshot = this.resource.snapshot();
        this.resource.retain(snapshot);
        this.retained.push({ revision: snapshot.revision, snapshot });
        return;
      }
      case 'recall': {
        const kept = this.retained[step.which % Math.max(1, this.retained.length)];
        if (kept !== undefined) await this.checkSnapshot(kept.snapshot, {}, 0, false, step.which % 2 === 0);
        return;
      }
      case 'watch':
        this.startWatch(step.selection, step.back, step.initial, step.formed);
        return;
      case 'pause':
        this.pick(step.which)?.writer.pause();
        return;
      case 'resume':
        this.pick(step.which)?.writer.resume();
        return;
      case 'stop':
        this.pick(step.which)?.stop.abort();
        return;
      case 'hold':
        this.backend.hold();
        return;
      case 'release':
        this.backend.release();
        return;
      case 'lose':
        this.backend.breakWatch(new StorageError('Compacted', 'compacted'));
        return;
      case 'yield':
        await new Promise((resolve) => setImmediate(resolve));
    }
  }

  pick(which: number): OpenWatch | undefined {
    return this.watches[which % Math.max(1, this.watches.length)];
  }

  startWatch(selection: ModelSelection, back: number, initial: boolean, formed: boolean): void {
    const writer = new MemoryResponseWriter();
    const stop = new AbortController();
    const from = toRevision(Math.max(1, this.resource.revision - back));
    const outcome = this.resource.watch(
      {
        selection: toSelection(selection),
        from,
        initialEvents: initial,
        bookmarks: initial,
        signal: stop.signal,
        ...(formed ? { representation: this.representation } : {}),
      },
      writer,
    );
    const watch: OpenWatch = { selection, writer, stop, initial, formed, from, outcome, ended: undefined };
    void outcome.then((ended) => (watch.ended = ended));
    this.watches.push(watch);
  }

  /** A list must equal the model's state at the revision of the list. */
  checkList(selection: ModelSelection, limit: number, gzip: boolean, formed: boolean): Promise<void> {
    return this.checkSnapshot(this.resource.snapshot(), selection, limit, gzip, formed);
  }

  async checkSnapshot(snapshot: Snapshot, selection: ModelSelection, limit: number, gzip: boolean, formed: boolean): Promise<void> {
    const expected = sorted(this.stateAt(snapshot.revision)).filter((object) => matches(selection, object));
    const shown = limit === 0 ? expected : expected.slice(0, limit);
    const page = await snapshot.find({ selection: toSelection(selection), limit });
    const writer = new MemoryResponseWriter();
    const text = shown.map(({ json, revision }) => itemEncodingOf(json, revision)).join(',');
    expect(page.count).toBe(shown.length);
    expect(page.byteLength).toBe(text.length);
    const written = formed ? shown.map(({ json, revision }) => stamped(itemEncodingOf(json, revision), this.time)).join(',') : text;
    expect(page.next).toBe(shown.length < expected.length ? keyAfter(shown.at(-1)?.key as Key) : undefined);
    if (page.remaining !== undefined) expect(page.remaining).toBe(expected.length - shown.length);
    // Concurrent writes must not appear in the list.
    await page.writeTo(writer, {
      head: Buffer.from('['),
      tail: Buffer.from(']'),
      encoding: gzip ? 'gzip' : 'identity',
      ...(formed ? { representation: this.representation } : {}),
    });
    const bytes = gzip ? gunzipSync(writer.bytes()) : writer.bytes();
    expect(bytes.toString() === `[${written}]`).toBe(true);
    const [any] = shown;
    if (any !== undefined) expect(snapshot.get(any.key)?.itemBytes.toString()).toBe(itemEncodingOf(any.json, any.revision));
  }

  async checkWalk(selection: ModelSelection, limit: number): Promise<void> {
    const snapshot = this.resource.snapshot();
    const expected = sorted(this.stateAt(snapshot.revision)).filter((object) => matches(selection, object));
    const seen: string[] = [];
    let start: Key | undefined;
    do {
      const page = snapshot.page({ selection: toSelection(selection), limit, ...(start === undefined ? {} : { start }) });
      for (const object of page.objects) seen.push(object.key);
      if (page.next !== undefined) expect(page.next).toBe(keyAfter(seen.at(-1) as Key));
      start = page.next;
      await this.run({ do: 'yield' });
    } while (start !== undefined);
    expect(seen).toEqual(expected.map(({ key }) => key));
  }

  /** Waits until all streams are idle, and compares them with the model. */
  async quiesce(): Promise<void> {
    this.backend.release();
    for (const { writer } of this.watches) writer.resume();
    await waitFor(async () => !this.backend.isBreaking && (await this.cache.isFresh()) && this.cache.notReady === undefined, {
      what: 'the cache',
      everyMs: 1,
    });
    await this.checkList({}, 0, false, false);
    await this.checkList({}, 0, true, false);
    await this.checkList({}, 0, false, true);
    await this.checkList({}, 0, true, true);
    for (const watch of this.watches) {
      const { expected, upTo } = this.expectedLines(watch);
      if (upTo === 'all')
        await waitFor(() => textOf(watch).length >= expected.length, { what: () => describeGap(watch, expected), everyMs: 1 });
      const text = textOf(watch);
      for (const line of watch.writer.text().split('\n').slice(0, -1))
        expect(line.startsWith('{"type":"ERROR"') || line.includes('"object":{"t":') === watch.formed).toBe(true);
      expect(upTo === 'all' ? text === expected : expected.startsWith(text)).toBe(true);
    }
  }

  /** The expected events of the stream. An ended stream has written a prefix of them. */
  expectedLines(watch: OpenWatch): { readonly expected: string; readonly upTo: 'all' | 'some' } {
    const lines = linesOf(watch);
    const error = lines.find(({ type }) => type === 'ERROR');
    let text = '';
    let from = watch.from;
    if (watch.initial) {
      const end = lines.find(({ object }) => object.metadata.annotations?.['example.com/end'] === 'true');
      if (end === undefined) {
        // It ended before its initial events were complete, so it contains nothing else.
        if (error === undefined && watch.ended === undefined) throw new Error('the initial events did not end');
        for (const { type } of lines) expect(['ADDED', 'ERROR']).toContain(type);
        return { expected: textOf(watch), upTo: 'some' };
      }
      from = Number(end.object.metadata.resourceVersion);
      for (const object of sorted(this.stateAt(from)))
        if (matches(watch.selection, object)) text += lineOf('ADDED', object, object.revision);
      text += bookmarkOf(from, true);
    }
    for (const { revision, before, after } of this.changes) {
      if (revision <= from) continue;
      const had = before !== undefined && matches(watch.selection, before);
      const has = after !== undefined && matches(watch.selection, after);
      if (has) text += lineOf(had ? 'MODIFIED' : 'ADDED', after, revision);
      else if (had) text += lineOf('DELETED', before, revision);
    }
    if (watch.ended === undefined) return { expected: text, upTo: 'all' };
    // The last line, an ERROR or a bookmark, follows a prefix of the history.
    const own = textOf(watch);
    const last = own.lastIndexOf('\n', own.length - 2) + 1;
    const isExtra = /^\{"type":"(?:ERROR|BOOKMARK)"/.test(own.slice(last));
    if (!isExtra) return { expected: text, upTo: 'some' };
    if (!text.startsWith(own.slice(0, last))) throw new Error(`${describeGap(watch, text)} in ${lines.map(({ type }) => type).join()}`);
    if (own.slice(last).startsWith('{"type":"BOOKMARK"') && !own.slice(last).includes('example.com/end')) {
      // Everything up to the bookmark's revision was written before it.
      const upTo = Number((lines.at(-1) as Line).object.metadata.resourceVersion);
      const next = this.firstLineAfter(watch, upTo);
      const rest = text.slice(last);
      expect(rest === '' || (next !== undefined && rest.startsWith(next))).toBe(true);
    }
    return { expected: own, upTo: 'some' };
  }

  firstLineAfter(watch: OpenWatch, after: number): string | undefined {
    for (const { revision, before, after: now } of this.changes) {
      if (revision <= after) continue;
      const had = before !== undefined && matches(watch.selection, before);
      const has = now !== undefined && matches(watch.selection, now);
      if (has) return lineOf(had ? 'MODIFIED' : 'ADDED', now, revision);
      if (had) return lineOf('DELETED', before, revision);
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.cache.close();
    await Promise.all(this.watches.map(({ outcome }) => outcome));
  }
}

const describeGap = (watch: OpenWatch, expected: string): string => {
  const { selection, from, initial, ended } = watch;
  return `a stream: ${JSON.stringify({ selection, from, initial, ended, has: textOf(watch).length, expected: expected.length })}`;
};

/** The text of a stream, converted from the derived to the stored representation. */
const textOf = ({ writer }: OpenWatch): string =>
  writer.text().replaceAll(/^(\{"type":"[A-Z]+","object":)\{"t":\d+,"of":\{(.*)\}\}$/gm, `$1${WIDGET_HEAD}$2}`);
const linesOf = (watch: OpenWatch): readonly Line[] =>
  textOf(watch)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

const lineOf = (type: string, object: ModelObject, revision: number): string =>
  `{"type":"${type}","object":${object.json.replace('"metadata":{', `"metadata":{"resourceVersion":"${revision}",`)}}\n`;

const bookmarkOf = (revision: number, isEnd: boolean): string =>
  `{"type":"BOOKMARK","object":${WIDGET_HEAD}"metadata":{"resourceVersion":"${revision}"${isEnd ? ',"annotations":{"example.com/end":"true"}' : ''}},"spec":{}}}\n`;

describe.each(ENTRY_MEMORIES)('the watch cache against a model, with $name', ({ createMemory }) => {
  it('finds no difference over random histories', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 150, size: 'max' }), async (history) => {
        const world = new World(createMemory);
        try {
          await world.cache.filled();
          for (const step of history) await world.run(step);
          await world.quiesce();
        } finally {
          await world.close();
        }
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('finds no difference in a large collection with many updates', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(puts, { minLength: 400, maxLength: 600, size: 'max' }),
        fc.array(steps, { minLength: 50, maxLength: 200, size: 'max' }),
        async (first, history) => {
          const world = new World(createMemory);
          try {
            await world.cache.filled();
            for (const [i, step] of first.entries()) await world.run({ ...step, n: i % 397, size: step.size % 5000 });
            for (const step of history) await world.run('n' in step ? { ...step, n: step.n * 9 } : step);
            await world.quiesce();
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: 5, endOnFailure: true },
    );
  });
});
