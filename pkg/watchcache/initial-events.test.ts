import { describe, expect, it } from '@jest/globals';
import { MemorySink } from '../../test/support/memory-sink.ts';
import { keyOf, WIDGET_HEAD } from '../../test/support/widgets.ts';
import { toRevision } from '../storage/backend.ts';
import { Entry } from './entry.ts';
import { createLineStarts } from './event.ts';
import { writeInitialEvents } from './initial-events.ts';
import { toMatcher } from './selection.ts';
import { LoopTurns, SLICE_MS } from './slice.ts';
import { historyLost } from './stream-lines.ts';
import type { PreparedForm } from './watch-cache.ts';
import { Watcher } from './watcher.ts';

const OBJECTS = 100;
const OBJECT_MS = 0.5;

function hold(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** All of them are made for one write. */
const entries = Array.from({ length: OBJECTS }, (_, i) => {
  const name = `w${i}`;
  const key = keyOf('a', name);
  const bytes = Buffer.from(`{"metadata":{"name":"${name}"}}`);
  return new Entry(
    { key, namespace: 'a', name },
    toRevision(1),
    { uid: '', labels: undefined, fields: undefined },
    undefined,
    bytes,
    0,
    bytes.length,
  );
});

/** Takes its time for each object, and calls back before. */
const slowForm = (makes: () => void): PreparedForm => ({
  id: 'slow',
  now: () => 0,
  eventObject: (listForm) => {
    makes();
    hold(OBJECT_MS);
    return { bytes: listForm, validUntil: Infinity };
  },
  prepare: () => {
    throw new Error('a watch prepares nothing');
  },
});

const write = (watcher: Watcher) =>
  writeInitialEvents(watcher, entries, createLineStarts(Buffer.from(WIDGET_HEAD)), () => undefined, new LoopTurns());

describe('Initial events in a derived form', () => {
  it('are made in slices, however many of them one write carries', async () => {
    let made = 0;
    const sink = new MemorySink();
    const form = slowForm(() => made++);
    const writing = write(new Watcher(toMatcher({}), sink, false, form));
    let most = made;
    while (made < OBJECTS) {
      const before = made;
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, made - before);
    }
    await writing;
    expect(sink.writes).toHaveLength(1);
    expect(sink.lines()).toHaveLength(OBJECTS);
    expect(most).toBeLessThanOrEqual(SLICE_MS / OBJECT_MS + 1);
  });

  it('are not written behind the error of a watch that ends while they are made', async () => {
    const sink = new MemorySink();
    let made = 0;
    const watcher: Watcher = new Watcher(
      toMatcher({}),
      sink,
      false,
      slowForm(() => {
        if (++made === OBJECTS / 2) watcher.end('expired', historyLost());
      }),
    );
    await write(watcher);
    expect(sink.lines()).toEqual([expect.objectContaining({ type: 'ERROR' })]);
    expect(watcher.events).toBe(0);
  });
});
