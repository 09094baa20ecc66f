/** Thousands of watches, most of them idle. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeBackend } from '../../../test/support/fake-backend.ts';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { jsonOf, keyOf, widgets } from '../../../test/support/widgets.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { createLabelSelector } from '../../apimachinery/selectors/selector.ts';
import { silentLog } from '../../observability/logging.ts';
import { openWatchCache } from '../open-watch-cache.ts';
import type { ResourceCache, Selection, WatchCache } from '../watch-cache.ts';

const IDLE = 10_000;
const ACTIVE = 1_000;
const CHANGES = 20;

const stop = new AbortController();
const backend = new FakeBackend();
let cache: WatchCache;
let resource: ResourceCache;

beforeAll(async () => {
  cache = openWatchCache({ backend, resources: [widgets], clock: systemClock, log: silentLog, initialEventsEnd: 'example.com/end' });
  await cache.filled();
  resource = cache.resource(widgets.name);
});
afterAll(async () => {
  stop.abort();
  await cache.close();
});

function watch(selection: Selection): MemoryResponseWriter {
  const writer = new MemoryResponseWriter();
  void resource.watch({ selection, from: resource.revision, initialEvents: false, bookmarks: false, signal: stop.signal }, writer);
  return writer;
}

/** All kinds of idle watches. */
function idleSelection(index: number): Selection {
  const value = `idle-${index}`;
  switch (index % 4) {
    case 0:
      return { namespace: value };
    case 1:
      return { namespace: 'busy', name: value };
    case 2:
      return { labels: createLabelSelector([{ key: 'size', operator: 'in', values: [value], spelling: '=' }]) };
    default:
      return { namespace: 'idle' };
  }
}

describe('Ten thousand idle watches and a thousand busy ones', () => {
  it('receive their changes once and in order', async () => {
    const idle = Array.from({ length: IDLE }, (_, index) => watch(idleSelection(index)));
    const active = Array.from({ length: ACTIVE }, () => watch({ namespace: 'busy' }));
    await waitFor(() => resource.stats.watchers === IDLE + ACTIVE && resource.stats.lagging === 0, { what: 'the watches to begin' });
    const revisions = Array.from({ length: CHANGES }, (_, index) =>
      String(backend.put(keyOf('busy', `w${index % 3}`), jsonOf('busy', `w${index % 3}`, { step: String(index) }))),
    );
    await waitFor(() => resource.stats.deliveredEvents >= ACTIVE * CHANGES, { what: 'the changes' });
    const seen = new Set(
      active.map((writer) =>
        (writer.lines() as { object: { metadata: { resourceVersion: string } } }[])
          .map(({ object }) => object.metadata.resourceVersion)
          .join(),
      ),
    );
    expect([...seen]).toEqual([revisions.join()]);
    expect(idle.filter(({ writes }) => writes.length > 0)).toEqual([]);
    expect(resource.stats.deliveredEvents).toBe(ACTIVE * CHANGES);
  });
});
