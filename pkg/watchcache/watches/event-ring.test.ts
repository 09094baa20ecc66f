import { describe, expect, it } from '@jest/globals';
import { toRevision } from '../../storage/backend.ts';
import { isStorageError } from '../../storage/errors.ts';
import { collectGarbage } from '../../../test/support/collect-garbage.ts';
import { testEntry } from '../../../test/support/test-entry.ts';
import { keyOf } from '../../../test/support/widgets.ts';
import type { Entry } from '../store/entry.ts';
import { Arena } from '../store/arena.ts';
import { EventRing, RING_LIMITS } from './event-ring.ts';

const entryOf = (name: string, revision: number, size: number): Entry =>
  testEntry(name, Buffer.alloc(size), { revision, attributes: { uid: '' } });

function ringOf(
  count: number,
  { size = 10, everyMs = 1, ...limits }: { size?: number; everyMs?: number } & Partial<typeof RING_LIMITS> = {},
) {
  const ring = new EventRing(toRevision(100), { ...RING_LIMITS, ...limits });
  for (let i = 1; i <= count; i++) {
    const revision = toRevision(100 + i * 10);
    ring.append({
      revision,
      key: keyOf('a', 'x'),
      token: `t${i}`,
      previous: undefined,
      current: entryOf('x', revision, size),
      at: i * everyMs,
    });
  }
  return ring;
}

const isCompacted = (work: () => unknown): boolean => {
  try {
    work();
    return false;
  } catch (error) {
    return isStorageError(error, 'Compacted');
  }
};

/** For a collection without labels and selectable fields. */
function createEntries() {
  const block = new Arena().createBlock(1000);
  let offset = 0;
  const next = (): Entry => {
    const entry = testEntry('x', Buffer.alloc(10), {
      revision: offset + 10,
      attributes: { uid: '' },
      allocation: { bytes: block.bytes, offset, block },
    });
    offset += 10;
    return entry;
  };
  return { block, next };
}

const NEVER_SHOWN = -1;

describe('the event ring', () => {
  it('retains an entry in place until the change is too old', () => {
    const { block, next } = createEntries();
    const ring = new EventRing(toRevision(100), { minEvents: 0, maxAgeMs: 10, maxBytes: 10_000 });
    const entries = Array.from({ length: 4 }, next);
    const lying = () => entries.map((entry) => entry.isIn(block));
    for (const [index, current] of entries.entries()) {
      const previous = entries[index - 1];
      ring.append({ revision: current.revision, key: current.key, token: '', previous, current, at: index });
      previous?.removed(NEVER_SHOWN);
    }
    expect(lying()).toEqual([true, true, true, true]);
    ring.trim(11);
    expect(lying()).toEqual([false, false, true, true]);
    ring.trim(100);
    // The collection still references it.
    expect(lying()).toEqual([false, false, false, true]);
  });

  it('releases all entries when it is cleared', () => {
    const { block, next } = createEntries();
    const ring = new EventRing(toRevision(100), RING_LIMITS);
    const entry = next();
    ring.append({ revision: entry.revision, key: entry.key, token: '', previous: undefined, current: entry, at: 0 });
    entry.removed(NEVER_SHOWN);
    expect(entry.isIn(block)).toBe(true);
    ring.clear();
    expect(entry.isIn(block)).toBe(false);
  });

  it('has an oldest complete revision before any event', () => {
    const ring = ringOf(0);
    expect(ring.before(toRevision(99))).toBeUndefined();
    expect(ring.before(toRevision(100))).toBe(ring.tail);
    expect(ring.before(toRevision(5000))).toBe(ring.tail);
  });

  it('finds the start of a watch', () => {
    const ring = ringOf(5);
    expect(ring.before(toRevision(100))?.next?.revision).toBe(110);
    expect(ring.before(toRevision(110))?.revision).toBe(110);
    expect(ring.before(toRevision(129))?.next?.revision).toBe(130);
    expect(ring.before(toRevision(150))).toBe(ring.tail);
  });

  it('retains 100 events of any age, and further recent ones', () => {
    expect(ringOf(500, { everyMs: 10_000 }).size).toBe(100);
    expect(ringOf(500, { everyMs: 100 }).size).toBe(500);
    const ring = ringOf(500, { everyMs: 500 });
    expect(ring.size).toBe(150);
    expect(ring.oldest).toBe(100 + 350 * 10);
    expect(ring.before(toRevision(ring.oldest - 1))).toBeUndefined();
    expect(ring.before(ring.oldest)?.next?.revision).toBe(ring.oldest + 10);
  });

  it('is primarily bounded by bytes', () => {
    const ring = ringOf(5000, { size: 10_000, maxBytes: 500_000 });
    expect(ring.bytes).toBeLessThanOrEqual(500_000);
    expect(ring.size).toBeGreaterThan(40);
  });

  it('retains nothing of dropped events', async () => {
    const ring = ringOf(0, { maxBytes: 500_000 });
    const dropped: WeakRef<Entry>[] = [];
    for (let i = 1; i <= 500; i++) {
      const revision = toRevision(100 + i);
      const current = entryOf('x', revision, 100_000);
      dropped.push(new WeakRef(current));
      ring.append({ revision, key: keyOf('a', 'x'), token: undefined, previous: undefined, current, at: i });
    }
    await collectGarbage();
    expect(dropped.filter((entry) => entry.deref() !== undefined).length).toBeLessThan(20);
    expect(ring.size).toBeGreaterThan(1);
  });

  it('lets a lagging reader continue after a dropped event', () => {
    const ring = ringOf(1, { everyMs: 100 });
    const start = ring.before(toRevision(100));
    for (let i = 2; i <= 5000; i++) {
      ring.append({
        revision: toRevision(100 + i * 10),
        key: keyOf('a', 'x'),
        token: undefined,
        previous: undefined,
        current: undefined,
        at: i * 10_000,
      });
    }
    let count = 0;
    for (let event = start?.next; event !== undefined; event = event.next) count++;
    expect(count).toBe(5000);
    expect(ring.size).toBe(100);
  });

  it('finds the first change of a key after a revision, or throws', () => {
    const ring = ringOf(3);
    expect(ring.changeAfter(keyOf('a', 'x'), toRevision(100))).toEqual({ revision: 110, token: 't1' });
    expect(ring.changeAfter(keyOf('a', 'x'), toRevision(115))).toEqual({ revision: 120, token: 't2' });
    expect(ring.changeAfter(keyOf('a', 'x'), toRevision(130))).toBeUndefined();
    expect(ring.changeAfter(keyOf('a', 'other'), toRevision(100))).toBeUndefined();
    expect(isCompacted(() => ring.changeAfter(keyOf('a', 'x'), toRevision(99)))).toBe(true);
  });

  it('retains the previous state only if a selector can distinguish it', () => {
    const before = entryOf('x', 1, 1000);
    const attributes = { uid: '', labels: { app: 'a' }, fields: { color: 'red' } };
    const stateOf = (changed: Partial<typeof attributes>) =>
      testEntry('x', Buffer.alloc(1000), { revision: 2, attributes: { ...attributes, ...changed } });
    const appended = (previous: Entry | undefined, current: Entry | undefined) => {
      const ring = ringOf(0);
      const event = ring.append({ revision: toRevision(110), key: keyOf('a', 'x'), token: '', previous, current, at: 1 });
      return { keepsBoth: event.previous !== event.current, bytes: Math.floor(ring.bytes / 1000) };
    };
    const both = { keepsBoth: true, bytes: 2 };
    expect(appended(stateOf({}), stateOf({ labels: { app: 'a' }, fields: { color: 'red' } }))).toEqual({ keepsBoth: false, bytes: 1 });
    expect(appended(before, entryOf('x', 2, 1000))).toEqual({ keepsBoth: false, bytes: 1 });
    expect(appended(stateOf({}), stateOf({ labels: { app: 'b' } }))).toEqual(both);
    expect(appended(stateOf({}), before)).toEqual(both);
    expect(appended(before, stateOf({}))).toEqual(both);
    expect(appended(stateOf({}), stateOf({ fields: { color: '' } }))).toEqual(both);
    expect(appended(stateOf({}), stateOf({ uid: 'other' }))).toEqual(both);
    expect(appended(stateOf({}), undefined)).toEqual(both);
  });
});
