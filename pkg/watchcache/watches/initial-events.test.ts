import { describe, expect, it } from '@jest/globals';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { testEntry } from '../../../test/support/test-entry.ts';
import { widgets } from '../../../test/support/widgets.ts';
import { EventEncoder, type ObjectIn } from './event-encoder.ts';
import { writeInitialEvents } from './initial-events.ts';
import { toMatcher } from '../selection.ts';
import { Scheduler, TASK_QUANTUM_MS } from '../../apimachinery/scheduling/scheduler.ts';
import { historyLost } from '../cache-errors.ts';
import type { TemplatedRepresentation } from '../representations/representation.ts';
import { Watcher } from './watcher.ts';

const OBJECTS = 100;
const OBJECT_MS = 0.5;

function hold(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** All fit one write. */
const entries = Array.from({ length: OBJECTS }, (_, i) => testEntry(`w${i}`, `{"metadata":{"name":"w${i}"}}`));

/** Each object takes time, after a callback. */
const slowRepresentation = (makes: () => void): TemplatedRepresentation => ({
  id: 'slow',
  now: () => 0,
  eventObject: (itemBytes) => {
    makes();
    hold(OBJECT_MS);
    return { bytes: itemBytes, validUntil: Infinity };
  },
  template: () => {
    throw new Error('a watch needs no templates');
  },
});

const objectIn: ObjectIn = (entry, representation, at) => representation.eventObject(entry.itemBytes, at);
const write = (watcher: Watcher) =>
  writeInitialEvents(watcher, entries, { encoder: new EventEncoder(widgets, objectIn), objectIn, scheduler: new Scheduler() });

describe('Initial events in a derived representation', () => {
  it('are encoded over several ticks, however many are in one write', async () => {
    let made = 0;
    const writer = new MemoryResponseWriter();
    const representation = slowRepresentation(() => made++);
    const writing = write(new Watcher(toMatcher({}), writer, false, representation));
    let most = made;
    while (made < OBJECTS) {
      const before = made;
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, made - before);
    }
    await writing;
    expect(writer.writes).toHaveLength(1);
    expect(writer.lines()).toHaveLength(OBJECTS);
    expect(most).toBeLessThanOrEqual(TASK_QUANTUM_MS / OBJECT_MS + 1);
  });

  it('are not written after the error of a watch that ended meanwhile', async () => {
    const writer = new MemoryResponseWriter();
    let made = 0;
    const watcher: Watcher = new Watcher(
      toMatcher({}),
      writer,
      false,
      slowRepresentation(() => {
        if (++made === OBJECTS / 2) watcher.end('expired', historyLost());
      }),
    );
    await write(watcher);
    expect(writer.lines()).toEqual([expect.objectContaining({ type: 'ERROR' })]);
    expect(watcher.events).toBe(0);
  });
});
