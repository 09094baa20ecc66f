import { afterEach, describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { createLabelSelector } from '../apimachinery/selectors/selector.ts';
import { systemClock } from '../apimachinery/time/clock.ts';
import { silentLog } from '../observability/logging.ts';
import { FakeBackend } from '../../test/support/fake-backend.ts';
import { MemorySink } from '../../test/support/memory-sink.ts';
import { createStampedForm, stamped, type StampedForm } from '../../test/support/stamped-form.ts';
import { waitFor } from '../../test/support/wait.ts';
import { jsonOf, keyOf, widgets } from '../../test/support/widgets.ts';
import { MemoBudget } from './memo-budget.ts';
import { openWatchCache } from './open-watch-cache.ts';
import type { DerivedForm, ResourceCache, Selection, WatchCache, WatchRequest } from './watch-cache.ts';

const open: WatchCache[] = [];
const stops: AbortController[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  await Promise.all(open.splice(0).map((cache) => cache.close()));
});

interface Opened {
  readonly backend: FakeBackend;
  readonly cache: WatchCache;
  readonly resource: ResourceCache;
  readonly memos: MemoBudget;
}

const nameOf = (index: number): string => `w${String(index).padStart(5, '0')}`;

/** With `count` objects in namespace `a`, each tenth labelled. */
async function openCache(count: number, { memoBytes = 1_000_000, ringBytes = 1_000_000 } = {}): Promise<Opened> {
  const backend = new FakeBackend();
  for (let i = 0; i < count; i++) backend.put(keyOf('a', nameOf(i)), jsonOf('a', nameOf(i), i % 10 === 0 ? { tenth: 'yes' } : {}));
  const memos = new MemoBudget(memoBytes);
  const cache = openWatchCache({
    backend,
    resources: [widgets],
    clock: systemClock,
    log: silentLog,
    initialEventsEnd: 'example.com/end',
    memos,
    ringBytes,
  });
  open.push(cache);
  await cache.filled();
  return { backend, cache, resource: cache.resource(widgets.name), memos };
}

interface ListOptions {
  readonly encoding?: 'identity' | 'gzip';
  readonly selection?: Selection;
  readonly limit?: number;
}

/** What a list in the form sends, as sent. */
async function list(
  { resource }: Opened,
  form: DerivedForm,
  { encoding = 'identity', selection = {}, limit = 0 }: ListOptions = {},
): Promise<Buffer> {
  const page = await resource.snapshot().find({ selection, limit });
  const sink = new MemorySink();
  await page.writeTo(sink, { head: Buffer.from('['), tail: Buffer.from(']'), encoding, form });
  return sink.bytes();
}

const shown = ({ resource }: Opened, at: number): string =>
  `[${[...resource.snapshot().page({ selection: {} }).objects].map(({ listForm }) => stamped(listForm.toString(), at)).join(',')}]`;

const preparing = async (form: StampedForm, work: () => Promise<unknown>): Promise<number> => {
  const before = form.prepared();
  await work();
  return form.prepared() - before;
};

describe('A list in a derived form', () => {
  it('prepares each object once', async () => {
    const opened = await openCache(1000);
    const form = createStampedForm(() => 0);
    expect(await preparing(form, () => list(opened, form))).toBe(1000);
    expect(await preparing(form, () => list(opened, form))).toBe(0);
    expect(await preparing(form, () => list(opened, form, { encoding: 'gzip' }))).toBe(0);
    expect(await preparing(form, () => list(opened, form, { limit: 500 }))).toBe(0);
  });

  it('prepares after a write what was written, wherever chunks are cut and joined', async () => {
    const opened = await openCache(1000);
    const { backend, cache } = opened;
    const form = createStampedForm(() => 0);
    await list(opened, form);
    const write = async (work: () => void): Promise<number> => {
      work();
      await cache.caughtUp();
      const prepared = await preparing(form, () => list(opened, form));
      expect((await list(opened, form)).toString()).toBe(shown(opened, 0));
      return prepared;
    };
    expect(await write(() => backend.put(keyOf('a', nameOf(500)), jsonOf('a', nameOf(500), { changed: 'yes' })))).toBe(1);
    expect(await write(() => backend.put(keyOf('a', `${nameOf(500)}-x`), jsonOf('a', `${nameOf(500)}-x`)))).toBe(1);
    expect(await write(() => backend.delete(keyOf('a', nameOf(501))))).toBe(0);
    expect(
      await write(() => {
        for (let i = 0; i < 300; i++) backend.put(keyOf('a', `${nameOf(600)}-${i}`), jsonOf('a', `${nameOf(600)}-${i}`));
      }),
    ).toBe(300);
    expect(
      await write(() => {
        for (let i = 100; i < 900; i++) backend.delete(keyOf('a', nameOf(i)));
      }),
    ).toBe(0);
  });

  it('shows the time of the answer, and deflates a chunk anew only when it has changed', async () => {
    let time = 0;
    const opened = await openCache(300);
    const form = createStampedForm(() => time);
    const first = await list(opened, form, { encoding: 'gzip' });
    time = 9;
    const used = opened.memos.usedBytes;
    expect(await list(opened, form, { encoding: 'gzip' })).toEqual(first);
    time = 10;
    const later = await list(opened, form, { encoding: 'gzip' });
    expect(gunzipSync(first).toString()).toBe(shown(opened, 0));
    expect(gunzipSync(later).toString()).toBe(shown(opened, 10));
    expect((await list(opened, form)).toString()).toBe(shown(opened, 10));
    // The blocks before took no room beside those of now.
    expect(opened.memos.usedBytes).toBeLessThan(used * 1.1);
  });

  it('keeps what it remembers within the budget, and is right without it', async () => {
    const opened = await openCache(1000, { memoBytes: 20_000 });
    const form = createStampedForm(() => 0);
    for (const encoding of ['identity', 'gzip', 'identity', 'gzip'] as const) {
      const bytes = await list(opened, form, { encoding });
      expect((encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()).toBe(shown(opened, 0));
      expect(opened.memos.usedBytes).toBeLessThanOrEqual(20_000);
    }
    expect(form.prepared()).toBeGreaterThan(1000);
  });

  it('lets go of the budget what belongs to chunks that are gone', async () => {
    const opened = await openCache(300);
    const form = createStampedForm(() => 0);
    await list(opened, form, { encoding: 'gzip' });
    for (let i = 0; i < 300; i++) opened.backend.delete(keyOf('a', nameOf(i)));
    await opened.cache.caughtUp();
    expect(opened.memos.usedBytes).toBe(0);
  });

  it('of a snapshot that is no longer the state shows what it was', async () => {
    const opened = await openCache(300);
    const form = createStampedForm(() => 0);
    await list(opened, form);
    const snapshot = opened.resource.snapshot();
    const before = shown(opened, 0);
    for (let i = 0; i < 300; i += 3) opened.backend.delete(keyOf('a', nameOf(i)));
    await opened.cache.caughtUp();
    const frame = { head: Buffer.from('['), tail: Buffer.from(']'), form };
    const [identity, gzip] = [new MemorySink(), new MemorySink()];
    // What is still there is known; of what is gone nothing is remembered, since no budget would bound that.
    expect(await preparing(form, () => snapshot.page({ selection: {} }).writeTo(identity, { ...frame, encoding: 'identity' }))).toBe(100);
    await snapshot.page({ selection: {} }).writeTo(gzip, { ...frame, encoding: 'gzip' });
    expect(identity.text()).toBe(before);
    expect(gunzipSync(gzip.bytes()).toString()).toBe(before);
    expect(opened.memos.usedBytes).toBeLessThan(300 * 110);
  });

  it('shows objects that a selector has picked', async () => {
    const opened = await openCache(1000);
    const labels = createLabelSelector([{ key: 'tenth', operator: 'in', values: ['yes'], spelling: '=' }]);
    const rows = JSON.parse(
      (
        await list(
          opened,
          createStampedForm(() => 0),
          { selection: { labels } },
        )
      ).toString(),
    ) as unknown[];
    expect(rows).toHaveLength(100);
  });

  it('keeps two forms apart', async () => {
    const opened = await openCache(10);
    const [early, late] = [createStampedForm(() => 0, 'Early'), createStampedForm(() => 50, 'Late')];
    expect((await list(opened, early)).toString()).toBe(shown(opened, 0));
    expect((await list(opened, late)).toString()).toBe(shown(opened, 50));
    expect((await list(opened, early)).toString()).toBe(shown(opened, 0));
  });
});

function startWatch({ resource }: Opened, request: Partial<WatchRequest>): MemorySink {
  const stop = new AbortController();
  stops.push(stop);
  const sink = new MemorySink();
  void resource.watch(
    { selection: {}, from: resource.revision, initialEvents: false, bookmarks: false, signal: stop.signal, ...request },
    sink,
  );
  return sink;
}

describe('A watch in a derived form', () => {
  it('beside a plain one of the same objects loses and doubles nothing, through 10,000 rows and a start in the past', async () => {
    const opened = await openCache(10_000, { ringBytes: 32_000_000 });
    const form = createStampedForm(() => 0);
    const initial = { initialEvents: true, bookmarks: true };
    const streams = { plain: startWatch(opened, initial), formed: startWatch(opened, { ...initial, form }) };
    const from = opened.resource.revision;
    for (let i = 0; i < 2000; i++) opened.backend.put(keyOf('a', nameOf(i * 3)), jsonOf('a', nameOf(i * 3), { changed: 'yes' }));
    for (let i = 0; i < 100; i++) opened.backend.delete(keyOf('a', nameOf(i)));
    await opened.cache.caughtUp();
    const resumed = { plain: startWatch(opened, { from }), formed: startWatch(opened, { from, form }) };
    const count = (sink: MemorySink) => sink.text().split('\n').length - 1;
    await waitFor(() => [streams.plain, streams.formed].every((sink) => count(sink) >= 12_101), { what: 'the first two', everyMs: 1 });
    await waitFor(() => [resumed.plain, resumed.formed].every((sink) => count(sink) >= 2100), { what: 'the resumed', everyMs: 1 });
    // The same lines in the same order, each object in its form.
    const asFormed = (sink: MemorySink): string =>
      sink.text().replaceAll(/"object":\{"kind":"Widget","apiVersion":"example.com\/v1",(.*)\}$/gm, '"object":{"t":0,"of":{$1}}');
    expect(asFormed(streams.plain) === streams.formed.text()).toBe(true);
    expect(asFormed(resumed.plain) === resumed.formed.text()).toBe(true);
    expect(count(streams.formed)).toBe(12_101);
    expect(count(resumed.formed)).toBe(2100);
  });

  it('has its lines made once for all that watch the same, and made anew when they would differ', async () => {
    let time = 0;
    let made = 0;
    const opened = await openCache(1);
    const stampedForm = createStampedForm(() => time);
    const form: DerivedForm = {
      ...stampedForm,
      eventObject: (listForm, at) => {
        made++;
        return stampedForm.eventObject(listForm, at);
      },
    };
    const from = opened.resource.revision;
    const sinks = [startWatch(opened, { form }), startWatch(opened, { form }), startWatch(opened, { form, selection: { namespace: 'a' } })];
    opened.backend.put(keyOf('a', 'x'), jsonOf('a', 'x'));
    await waitFor(() => sinks.every((sink) => sink.text() !== ''), { what: 'the lines', everyMs: 1 });
    expect(made).toBe(1);
    const late = startWatch(opened, { form, from });
    await waitFor(() => late.text() !== '', { what: 'the line', everyMs: 1 });
    expect(made).toBe(1);
    time = 30;
    const later = startWatch(opened, { form, from });
    await waitFor(() => later.text() !== '', { what: 'the line', everyMs: 1 });
    expect(made).toBe(2);
    expect(late.text()).toContain('{"t":0,');
    expect(later.text()).toContain('{"t":3,');
  });

  it('of a deletion shows the last state with the revision of the deletion', async () => {
    const opened = await openCache(1);
    const sink = startWatch(opened, { form: createStampedForm(() => 0) });
    const revision = opened.backend.delete(keyOf('a', nameOf(0)));
    await waitFor(() => sink.text() !== '', { what: 'the line', everyMs: 1 });
    expect(sink.lines()).toEqual([
      {
        type: 'DELETED',
        object: {
          t: 0,
          of: {
            metadata: {
              resourceVersion: String(revision),
              name: nameOf(0),
              namespace: 'a',
              uid: `uid-${nameOf(0)}`,
              labels: { tenth: 'yes' },
            },
            spec: {},
          },
        },
      },
    ]);
  });

  it('gets bookmarks in its form, and errors as they are', async () => {
    const opened = await openCache(2, { ringBytes: 1 });
    const form = createStampedForm(() => 0);
    const sink = startWatch(opened, { form, initialEvents: true, bookmarks: true });
    await waitFor(() => sink.lines().length === 3, { what: 'the lines', everyMs: 1 });
    expect(sink.lines().at(-1)).toEqual({
      type: 'BOOKMARK',
      object: {
        t: 0,
        of: { metadata: { resourceVersion: String(opened.resource.revision), annotations: { 'example.com/end': 'true' } }, spec: {} },
      },
    });
    const from = opened.resource.revision;
    for (let i = 0; i < 4; i++) opened.backend.put(keyOf('a', 'x'), jsonOf('a', 'x', { i: String(i) }));
    await opened.cache.caughtUp();
    const expired = startWatch(opened, { form, from });
    await waitFor(() => expired.text() !== '', { what: 'the error', everyMs: 1 });
    expect(expired.lines()).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410 } }]);
  });

  it('counts its lines into the ring as long as they are in it', async () => {
    const opened = await openCache(1, { ringBytes: 100_000 });
    const form = createStampedForm(() => 0);
    const sink = startWatch(opened, { form });
    const put = async (name: string): Promise<void> => {
      const before = sink.writes.length;
      opened.backend.put(keyOf('a', name), jsonOf('a', name, {}, { pad: 'x'.repeat(1000) }));
      await waitFor(() => sink.writes.length > before, { what: 'the line', everyMs: 1 });
    };
    for (let i = 0; i < 400; i++) await put(nameOf(i));
    const { ringBytes, ringEvents } = opened.resource.stats;
    expect(ringBytes).toBeLessThanOrEqual(100_000 + 3000);
    // Without the lines in another form 30 more would fit.
    expect(ringEvents * 2300).toBeLessThan(100_000);
    expect(ringEvents * 2700).toBeGreaterThan(70_000);
  });
});
