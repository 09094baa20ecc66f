import { afterEach, describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { createLabelSelector } from '../apimachinery/selectors/selector.ts';
import { systemClock } from '../apimachinery/time/clock.ts';
import { silentLog } from '../observability/logging.ts';
import { createBareForm } from '../../test/support/bare-form.ts';
import { FakeBackend } from '../../test/support/fake-backend.ts';
import { MemorySink } from '../../test/support/memory-sink.ts';
import { waitFor } from '../../test/support/wait.ts';
import { jsonOf, keyOf, widgets } from '../../test/support/widgets.ts';
import { MemoBudget } from './memo-budget.ts';
import { openWatchCache } from './open-watch-cache.ts';
import type { DerivedForm, PageQuery, ResourceCache, Snapshot, WatchCache, WatchRequest } from './watch-cache.ts';

const open: WatchCache[] = [];
const stops: AbortController[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  await Promise.all(open.splice(0).map((cache) => cache.close()));
});

const nameOf = (index: number): string => `w${String(index).padStart(5, '0')}`;

interface Opened {
  readonly backend: FakeBackend;
  readonly cache: WatchCache;
  readonly resource: ResourceCache;
  readonly memos: MemoBudget;
}

async function openCache(count: number, { memoBytes = 10_000_000, ringBytes = 1_000_000 } = {}): Promise<Opened> {
  const backend = new FakeBackend();
  for (let i = 0; i < count; i++) backend.put(keyOf('a', nameOf(i)), jsonOf('a', nameOf(i), i % 10 === 0 ? { tenth: 'yes' } : {}));
  const memos = new MemoBudget(memoBytes);
  const options = {
    backend,
    resources: [widgets],
    clock: systemClock,
    log: silentLog,
    initialEventsEnd: 'example.com/end',
    memos,
    ringBytes,
  };
  const cache = openWatchCache(options);
  open.push(cache);
  await cache.filled();
  return { backend, cache, resource: cache.resource(widgets.name), memos };
}

const ENCODINGS = ['identity', 'gzip'] as const;

/** What a list sends, decompressed: the length that its head was told stands before it. */
async function list(
  snapshot: Snapshot,
  form: DerivedForm,
  encoding: (typeof ENCODINGS)[number] = 'identity',
  query: PageQuery = { selection: {} },
): Promise<string> {
  const page = await snapshot.find(query);
  const sink = new MemorySink();
  await page.writeTo(sink, { head: (byteLength) => Buffer.from(`${byteLength}:`), tail: Buffer.from('.'), encoding, form });
  return (encoding === 'gzip' ? gunzipSync(sink.bytes()) : sink.bytes()).toString();
}

function shown(snapshot: Snapshot, query: PageQuery = { selection: {} }): string {
  const text = [...snapshot.page(query).objects].map(({ listForm }) => `<${listForm.toString()}>`).join('');
  return `${Buffer.byteLength(text)}:${text}.`;
}

const tenth = { labels: createLabelSelector([{ key: 'tenth', operator: 'in', values: ['yes'], spelling: '=' }]) };

describe('A list in a bare form', () => {
  it.each(ENCODINGS)('begins with the length of its objects, which stand side by side (%s)', async (encoding) => {
    for (const count of [0, 1, 30, 2000]) {
      const snapshot = (await openCache(count)).resource.snapshot();
      const form = createBareForm();
      for (const query of [{ selection: {} }, { selection: {}, limit: 500 }, { selection: tenth }]) {
        expect(await list(snapshot, form, encoding, query)).toBe(shown(snapshot, query));
        expect(await list(snapshot, form, encoding, query)).toBe(shown(snapshot, query));
      }
    }
  });

  it('makes each object once, and after a write what was written', async () => {
    const { backend, cache, resource } = await openCache(2000);
    const form = createBareForm();
    await list(resource.snapshot(), form);
    await list(resource.snapshot(), form, 'gzip');
    await list(resource.snapshot(), form, 'identity', { selection: {}, limit: 500 });
    expect(form.prepared()).toBe(2000);
    backend.put(keyOf('a', nameOf(700)), jsonOf('a', nameOf(700), { changed: 'yes' }));
    await cache.caughtUp();
    expect(await list(resource.snapshot(), form)).toBe(shown(resource.snapshot()));
    expect(form.prepared()).toBe(2001);
  });

  it.each(ENCODINGS)('is right, and measured once, where the budget remembers next to nothing (%s)', async (encoding) => {
    const { resource, memos } = await openCache(2000, { memoBytes: 50_000 });
    const form = createBareForm();
    for (let times = 0; times < 3; times++) {
      expect(await list(resource.snapshot(), form, encoding)).toBe(shown(resource.snapshot()));
      expect(memos.usedBytes).toBeLessThanOrEqual(50_000);
    }
    expect(form.prepared()).toBeLessThanOrEqual(6000);
  });

  it.each(ENCODINGS)('of a state that has passed shows what it was (%s)', async (encoding) => {
    const { backend, cache, resource } = await openCache(2000);
    const form = createBareForm();
    const snapshot = resource.snapshot();
    const before = shown(snapshot);
    for (let i = 0; i < 2000; i += 3) backend.delete(keyOf('a', nameOf(i)));
    await cache.caughtUp();
    expect(await list(snapshot, form, encoding)).toBe(before);
  });

  it('is not made for a reader that is gone', async () => {
    const { resource } = await openCache(2000);
    const sink = new MemorySink();
    sink.close();
    const page = await resource.snapshot().find({ selection: {} });
    const form = createBareForm();
    await page.writeTo(sink, { head: () => Buffer.alloc(1), tail: Buffer.alloc(1), encoding: 'identity', form });
    expect([sink.writes, form.prepared() < 2000]).toEqual([[], true]);
  });
});

function startWatch({ resource }: Opened, request: Partial<WatchRequest>): MemorySink {
  const stop = new AbortController();
  stops.push(stop);
  const sink = new MemorySink();
  const defaults = { selection: {}, from: resource.revision, initialEvents: false, bookmarks: false, signal: stop.signal };
  void resource.watch({ ...defaults, ...request }, sink);
  return sink;
}

const linesOf = (sink: MemorySink): string[] => sink.text().split('\n').slice(0, -1);

describe('A form that remembers objects whole', () => {
  it('makes one of each revision for lists, single reads and watches together', async () => {
    const opened = await openCache(300);
    const { backend, cache, resource } = opened;
    const form = createBareForm();
    const watch = startWatch(opened, { form, initialEvents: true });
    await waitFor(() => linesOf(watch).length === 300, { what: 'the initial events', everyMs: 1 });
    await list(resource.snapshot(), form);
    backend.put(keyOf('a', nameOf(5)), jsonOf('a', nameOf(5), { changed: 'yes' }));
    await cache.caughtUp();
    const cached = resource.get(keyOf('a', nameOf(5)));
    if (cached === undefined) throw new Error('it is gone');
    expect(resource.alone(cached, form)?.toString()).toBe(`(${cached.listForm.toString()})`);
    await waitFor(() => linesOf(watch).length === 301, { what: 'the change', everyMs: 1 });
    for (const query of [
      { selection: {} },
      { selection: {}, limit: 100 },
      { selection: tenth },
      { selection: { namespace: 'a', name: nameOf(5) } },
    ]) {
      for (const encoding of ENCODINGS)
        expect(await list(resource.snapshot(), form, encoding, query)).toBe(shown(resource.snapshot(), query));
    }
    const late = startWatch(opened, { form, initialEvents: true });
    await waitFor(() => linesOf(late).length === 300, { what: 'the initial events', everyMs: 1 });
    expect(linesOf(watch).at(-1)).toBe(`MODIFIED (${cached.listForm.toString()})`);
    expect([form.prepared(), form.composed()]).toEqual([301, 0]);
  });

  it('makes one for whoever asks first, a selector or a single read, and those who come later', async () => {
    const { resource } = await openCache(300);
    const form = createBareForm();
    await list(resource.snapshot(), form, 'identity', { selection: tenth });
    const cached = resource.get(keyOf('a', nameOf(5)));
    if (cached === undefined) throw new Error('it is gone');
    resource.alone(cached, form);
    expect(form.prepared()).toBe(31);
    await list(resource.snapshot(), form);
    expect(form.prepared()).toBe(300);
  });

  it('shows a change whose object has been replaced since', async () => {
    const opened = await openCache(10);
    const { backend, cache, resource } = opened;
    const from = resource.revision;
    for (const step of ['1', '2']) backend.put(keyOf('a', nameOf(5)), jsonOf('a', nameOf(5), { step }));
    const revision = backend.delete(keyOf('a', nameOf(5)));
    await cache.caughtUp();
    const watch = startWatch(opened, { form: createBareForm(), from });
    await waitFor(() => linesOf(watch).length === 3, { what: 'the changes', everyMs: 1 });
    expect(linesOf(watch)).toEqual([
      expect.stringMatching(/^MODIFIED \(.*"step":"1"/),
      expect.stringMatching(/^MODIFIED \(.*"step":"2"/),
      expect.stringContaining(`DELETED ({"metadata":{"resourceVersion":"${revision}",`),
    ]);
  });

  it('says bookmarks and the error that ends a watch in its own way', async () => {
    const opened = await openCache(2, { ringBytes: 1 });
    const { backend, cache, resource } = opened;
    const from = resource.revision;
    const watch = startWatch(opened, { form: createBareForm(), initialEvents: true, bookmarks: true });
    await waitFor(() => linesOf(watch).length === 3, { what: 'the bookmark', everyMs: 1 });
    expect(linesOf(watch).at(-1)).toMatch(/^BOOKMARK \(.*"example.com\/end":"true"/);
    for (let i = 0; i < 4; i++) backend.put(keyOf('a', 'x'), jsonOf('a', 'x', { i: String(i) }));
    await cache.caughtUp();
    const expired = startWatch(opened, { form: createBareForm(), from });
    await waitFor(() => linesOf(expired).length === 1, { what: 'the error', everyMs: 1 });
    expect(linesOf(expired)).toEqual(['ERROR (Expired)']);
  });
});
