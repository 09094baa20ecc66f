import { describe, expect, it } from '@jest/globals';
import { MemorySink } from '../../test/support/memory-sink.ts';
import { keyOf, WIDGET_HEAD } from '../../test/support/widgets.ts';
import { toRevision } from '../storage/backend.ts';
import { Entry } from './entry.ts';
import { createLineStarts } from './event.ts';
import { EventRing, RING_LIMITS } from './event-ring.ts';
import { FAN_OUT_LIMITS, FanOut } from './fan-out.ts';
import { toMatcher } from './selection.ts';
import { LoopTurns } from './slice.ts';
import { Watcher } from './watcher.ts';

const EVENTS = 12;
/** A batch is two of them. */
const EVENT_BYTES = 130_000;

function openFanOut() {
  const ring = new EventRing(toRevision(0), RING_LIMITS);
  const fanOut = new FanOut(ring.tail, {
    turns: new LoopTurns(),
    lineStarts: createLineStarts(Buffer.from(WIDGET_HEAD)),
    limits: FAN_OUT_LIMITS,
    aloneOf: () => undefined,
    bookmark: () => Buffer.alloc(0),
    revision: () => ring.tail.revision,
    failed: (error) => {
      throw error;
    },
  });
  const append = (name: string) => {
    const revision = toRevision(ring.tail.revision + 1);
    const key = keyOf('a', name);
    const bytes = Buffer.from(`{"metadata":{"name":"${name}","pad":"${'x'.repeat(EVENT_BYTES)}"}}`);
    const facts = { uid: '', labels: undefined, fields: undefined };
    const current = new Entry({ key, namespace: 'a', name }, revision, facts, undefined, bytes, 0, bytes.length);
    return ring.append({ revision, key, token: undefined, previous: undefined, current, at: 0 });
  };
  return { ring, fanOut, append };
}

const namesOf = (sink: MemorySink) =>
  (sink.lines() as { object: { metadata: { name: string } } }[]).map(({ object }) => object.metadata.name);

describe('the fan-out', () => {
  it('skips nothing for a watcher that comes to the others between two batches of one turn', async () => {
    const { ring, fanOut, append } = openFanOut();
    const start = ring.tail;
    const events = [start, ...Array.from({ length: EVENTS }, (_, i) => append(`w${i}`))];
    const watchers = events.map((position) => {
      const watcher = new Watcher(toMatcher({}), new MemorySink(), false);
      watcher.position = position;
      return watcher;
    });
    const following = watchers.map((watcher) => fanOut.follow(watcher));
    fanOut.wake();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    const names = events.slice(1).map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
    expect(watchers.map(({ sink }) => (sink instanceof MemorySink ? namesOf(sink) : []))).toEqual(events.map((_, at) => names.slice(at)));
    fanOut.endAll('closed');
    await Promise.all(following);
  });
});
