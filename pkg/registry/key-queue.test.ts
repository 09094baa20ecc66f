import { describe, expect, it } from '@jest/globals';
import { toRevision } from '../storage/backend.ts';
import { toKey } from '../storage/keys.ts';
import { KeyQueue } from './key-queue.ts';

const key = toKey('/batch/cronjobs/a/b');
const signal = new AbortController().signal;

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('KeyQueue', () => {
  it('lets writers of one key in one after the other, in order', async () => {
    const queue = new KeyQueue();
    const seen: string[] = [];
    const writer = (name: string) =>
      queue.run(key, signal, async () => {
        seen.push(`${name} in`);
        await Promise.resolve();
        seen.push(`${name} out`);
      });
    await Promise.all([writer('a'), writer('b'), writer('c')]);
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  });

  it('does not hold up writers of another key', async () => {
    const queue = new KeyQueue();
    const first = gate();
    const held = queue.run(key, signal, () => first.opened);
    await queue.run(toKey('/batch/cronjobs/a/c'), signal, async () => undefined);
    first.open();
    await held;
  });

  it('lets the next one in after a failure, and forgets the key when nobody is left', async () => {
    const queue = new KeyQueue();
    const failing = queue.run(key, signal, async () => Promise.reject(new Error('no')));
    const next = queue.run(key, signal, async () => 'in');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('in');
    expect(queue.size).toBe(0);
  });

  it('answers a waiting writer with Timeout when its request ends, and skips it', async () => {
    const queue = new KeyQueue();
    const first = gate();
    const gone = new AbortController();
    const held = queue.run(key, signal, () => first.opened);
    const waiting = queue.run(key, gone.signal, async () => 'in');
    const last = queue.run(key, signal, async () => 'last');
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'Timeout' });
    first.open();
    await held;
    expect(await last).toBe('last');
  });

  it('turns writers away when too many wait', async () => {
    const queue = new KeyQueue();
    const first = gate();
    const held = queue.run(key, signal, () => first.opened);
    const waiting = Array.from({ length: 1000 }, () => queue.run(key, signal, async () => undefined));
    await expect(queue.run(key, signal, async () => undefined)).rejects.toMatchObject({ reason: 'TooManyRequests' });
    first.open();
    await Promise.all([held, ...waiting]);
  });

  it('hands on what the writer before left', async () => {
    const queue = new KeyQueue();
    const counts: number[] = [];
    const writer = () =>
      queue.run(key, signal, async (state) => {
        const revision = Number(state.lastWrite?.revision ?? 0) + 1;
        counts.push(revision);
        state.lastWrite = { revision: toRevision(revision), object: undefined };
      });
    await Promise.all([writer(), writer(), writer()]);
    expect(counts).toEqual([1, 2, 3]);
  });
});
