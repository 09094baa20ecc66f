import { describe, expect, it } from '@jest/globals';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { testEntry } from '../../../test/support/test-entry.ts';
import { keyOf, widgets } from '../../../test/support/widgets.ts';
import { toRevision } from '../../storage/backend.ts';
import { EventEncoder, type ObjectIn } from './event-encoder.ts';
import { EventRing, RING_LIMITS } from './event-ring.ts';
import { FAN_OUT_LIMITS, FanOut, type FanOutOptions } from './fan-out.ts';
import { toMatcher } from '../selection.ts';
import { Scheduler, TASK_QUANTUM_MS } from '../../apimachinery/scheduling/scheduler.ts';
import { historyLost } from '../cache-errors.ts';
import { Watcher } from './watcher.ts';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

const WATCHERS = 100;
const WRITE_MS = 0.5;

/** A stream ends about this many microtasks after its watcher. */
const HOPS = 4;

function hold(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** Each write takes time. */
class SlowWriter extends MemoryResponseWriter {
  readonly #writes: () => void;

  constructor(writes: () => void) {
    super();
    this.#writes = writes;
  }

  override write(bytes: Uint8Array): boolean {
    this.#writes();
    hold(WRITE_MS);
    return super.write(bytes);
  }
}

const EVENTS = 12;
/** A batch is two of them. */
const EVENT_BYTES = 130_000;

const encoderOf = (objectIn: ObjectIn = notAsked) => new EventEncoder(widgets, objectIn);
const notAsked: ObjectIn = () => {
  throw new Error('no watch asks for a representation');
};

function openFanOut(options: Partial<FanOutOptions> = {}) {
  const ring = new EventRing(toRevision(0), RING_LIMITS);
  const fanOut = new FanOut(ring.tail, {
    scheduler: new Scheduler(),
    encoder: encoderOf(),
    limits: FAN_OUT_LIMITS,
    revision: () => ring.tail.revision,
    failed: (error) => {
      throw error;
    },
    ...options,
  });
  const append = (name: string, padding = EVENT_BYTES) => {
    const revision = toRevision(ring.tail.revision + 1);
    const key = keyOf('a', name);
    const current = testEntry(name, `{"metadata":{"name":"${name}","pad":"${'x'.repeat(padding)}"}}`, { revision });
    return ring.append({ revision, key, token: undefined, previous: undefined, current, at: 0 });
  };
  return { ring, fanOut, append };
}

/** Of a bookmark its revision. */
const namesOf = (writer: MemoryResponseWriter) =>
  (writer.lines() as { object: { metadata: { name?: string; resourceVersion: string } } }[]).map(
    ({ object: { metadata } }) => metadata.name ?? metadata.resourceVersion,
  );

describe('the fan-out', () => {
  it('skips nothing for a watcher that becomes live between two batches of one tick', async () => {
    const { ring, fanOut, append } = openFanOut();
    const start = ring.tail;
    const events = [start, ...Array.from({ length: EVENTS }, (_, i) => append(`w${i}`))];
    const watchers = events.map((position) => {
      const watcher = new Watcher(toMatcher({}), new MemoryResponseWriter(), false);
      watcher.position = position;
      return watcher;
    });
    const following = watchers.map((watcher) => fanOut.follow(watcher));
    fanOut.notify();
    for (let i = 0; i < 20; i++) await nextTick();
    const names = events.slice(1).map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
    expect(watchers.map(({ writer }) => (writer instanceof MemoryResponseWriter ? namesOf(writer) : []))).toEqual(
      events.map((_, at) => names.slice(at)),
    );
    fanOut.close();
    await Promise.all(following);
  });

  describe('between two batches for many watchers', () => {
    const follow = (count: number, createWriter: () => MemoryResponseWriter) => {
      const rests: { readonly ms: number; readonly end: () => void }[] = [];
      const { ring, fanOut, append } = openFanOut({
        sleep: (ms) => new Promise((end) => rests.push({ ms, end })),
      });
      const writers = Array.from({ length: count }, createWriter);
      const following = writers.map((writer) => {
        const watcher = new Watcher(toMatcher({}), writer, true);
        watcher.position = ring.tail;
        return fanOut.follow(watcher);
      });
      const publish = async (...names: readonly string[]) => {
        for (const name of names) {
          append(name, 100);
          fanOut.notify();
          for (let tick = 0; tick < 10; tick++) await nextTick();
        }
      };
      const close = async () => {
        fanOut.close();
        for (const { end } of rests) end();
        await Promise.all(following);
      };
      const rested = (count: number) => waitFor(() => rests.length >= count, { what: `rest number ${count}` });
      return { fanOut, writers, rests, rested, append, publish, close };
    };
    const slow = () => new SlowWriter(() => undefined);

    it('waits for more events, longer while there are some', async () => {
      const { writers, rests, rested, publish, close } = follow(WATCHERS, slow);
      await nextTick();
      const batches = [['first'], ['second', 'third'], ['fourth', 'fifth'], ['sixth'], ['last']];
      for (const [index, names] of batches.entries()) {
        await publish(...names);
        rests[index - 1]?.end();
        await rested(index + 1);
      }
      for (const writer of writers) expect(namesOf(writer)).toEqual(batches.flat());
      expect(rests.map(({ ms }) => ms)).toEqual([1, 2, 4, 2, 1]);
      await close();
    });

    it('writes a due bookmark for completed events, whatever is pending', async () => {
      let written = () => undefined as unknown;
      const { fanOut, writers, rests, rested, append, publish, close } = follow(WATCHERS, () => new SlowWriter(() => void written()));
      await nextTick();
      await publish('first');
      await rested(1);
      await publish('second');
      expect(fanOut.deliveredRevision()).toBe(1);
      fanOut.bookmark();
      written = () => {
        written = () => undefined;
        return append('third', 100);
      };
      rests[0]?.end();
      await rested(2);
      for (const writer of writers) {
        expect(writer.lines().map((line) => (line as { type: string }).type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
        expect(namesOf(writer)).toEqual(['first', 'second', '2']);
      }
      await close();
    });

    it('does not wait with few watchers', async () => {
      const { writers, rests, publish, close } = follow(WATCHERS - 1, slow);
      await nextTick();
      await publish('first');
      await waitFor(() => writers.every((writer) => namesOf(writer).length === 1), { what: 'the first event' });
      await publish('second');
      await waitFor(() => writers.every((writer) => namesOf(writer).length === 2), { what: 'the second event' });
      expect(rests).toEqual([]);
      await close();
    });

    it('ends when it is closed', async () => {
      const { fanOut, writers, rested, publish, close } = follow(WATCHERS, slow);
      await nextTick();
      await publish('first');
      await rested(1);
      await publish('late');
      await close();
      for (let tick = 0; tick < 10; tick++) await nextTick();
      for (const writer of writers) expect(namesOf(writer)).toEqual(['first']);
      expect(fanOut.watchers).toBe(0);
    });
  });

  it('ends thousands of watchers over several ticks, and writes nothing but the error', async () => {
    const { ring, fanOut, append } = openFanOut();
    let written = 0;
    const writers = Array.from({ length: WATCHERS }, () => new SlowWriter(() => written++));
    const watchers = writers.map((writer) => {
      const watcher = new Watcher(toMatcher({}), writer, false);
      watcher.position = ring.tail;
      return watcher;
    });
    let ended = 0;
    const following = watchers.map(async (watcher) => {
      await fanOut.follow(watcher);
      ended++;
      hold(WRITE_MS);
    });
    await nextTick();
    append('late');
    fanOut.expireAll(historyLost());
    expect(watchers.every((watcher) => watcher.isOver())).toBe(true);
    fanOut.notify();
    let most = written;
    while (ended < WATCHERS) {
      const before = written;
      await nextTick();
      most = Math.max(most, written - before);
    }
    expect(most).toBeLessThanOrEqual(TASK_QUANTUM_MS / (2 * WRITE_MS) + HOPS);
    for (const writer of writers) expect(writer.lines()).toEqual([expect.objectContaining({ type: 'ERROR' })]);
    await Promise.all(following);
    expect(fanOut.watchers).toBe(0);
  });

  it('ends watchers that are being ended immediately on close', async () => {
    const { ring, fanOut } = openFanOut();
    const writers = Array.from({ length: WATCHERS }, () => new SlowWriter(() => undefined));
    const following = writers.map((writer) => {
      const watcher = new Watcher(toMatcher({}), writer, false);
      watcher.position = ring.tail;
      return fanOut.follow(watcher);
    });
    await nextTick();
    fanOut.expireAll(historyLost());
    fanOut.close();
    for (const writer of writers) expect(writer.lines()).toHaveLength(1);
    await Promise.all(following);
  });
});
