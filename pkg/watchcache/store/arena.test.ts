import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { testEntry } from '../../../test/support/test-entry.ts';
import { keyOf } from '../../../test/support/widgets.ts';
import type { Chunk } from './chunk.ts';
import { Collection } from './collection.ts';
import type { Entry } from './entry.ts';
import { Arena, BLOCK_BYTES, MIN_DEAD_BYTES } from './arena.ts';
import { type EntryMemory, PlainEntryMemory } from './entry-memory.ts';
import { CacheBudget } from '../representations/cache-budget.ts';

const nameOf = (n: number) => `w${String(n).padStart(5, '0')}`;
const textOf = (n: number, size: number) => `${nameOf(n)}/${size}/`.repeat(size).slice(0, Math.max(2, size));

function entryOf(memory: EntryMemory, n: number, size: number): Entry {
  const text = textOf(n, size);
  return testEntry(nameOf(n), text, { attributes: { uid: '' }, allocation: memory.allocate(text.length) });
}

const entriesOf = (chunks: readonly Chunk[]) => chunks.flatMap(({ entries }) => entries);

/** Bytes of all Buffers that the entries reference. */
function liveBytes(entries: readonly Entry[]): number {
  const arena = new Set(entries.map(({ itemBytes }) => itemBytes.buffer));
  return [...arena].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

const jsonBytes = (entries: readonly Entry[]) => entries.reduce((sum, { size }) => sum + size, 0);

/** Each with a function that reclaims all dead bytes. */
const MEMORIES = [
  {
    name: 'an arena',
    open: () => {
      const arena = new Arena();
      return { memory: arena, reclaim: () => arena.empty(3, 0) };
    },
  },
  {
    name: 'plain memory',
    open: () => {
      const memory = new PlainEntryMemory();
      return { memory, reclaim: () => memory.compact() };
    },
  },
];

describe.each(MEMORIES)('entries in $name', ({ open }) => {
  it('preserve their bytes over random writes, packing, snapshots, moves and references', () => {
    const sizes = fc.oneof({ weight: 20, arbitrary: fc.nat(6000) }, { weight: 1, arbitrary: fc.integer({ min: 10_000, max: 150_000 }) });
    const steps = fc.oneof(
      { weight: 20, arbitrary: fc.record({ put: fc.nat(120), size: sizes, keeps: fc.boolean() }) },
      { weight: 5, arbitrary: fc.record({ remove: fc.nat(120) }) },
      { weight: 5, arbitrary: fc.record({ release: fc.nat(9) }) },
      { weight: 1, arbitrary: fc.record({ join: fc.boolean() }) },
    );
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 500, size: 'max' }), (all) => {
        const { memory, reclaim } = open();
        const collection = new Collection(new CacheBudget(0), memory);
        const model = new Map<string, string>();
        const kept: { readonly entry: Entry; readonly text: string }[] = [];
        const snapshots: { readonly chunks: readonly Chunk[]; readonly texts: readonly string[] }[] = [];
        const texts = () => [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
        for (const step of all) {
          if ('put' in step) {
            const entry = entryOf(memory, step.put, step.size);
            const text = textOf(step.put, step.size);
            if (step.keeps) {
              entry.retain();
              kept.push({ entry, text });
            }
            collection.put(entry);
            model.set(nameOf(step.put), text);
          } else if ('remove' in step) {
            collection.remove(keyOf('a', nameOf(step.remove)));
            model.delete(nameOf(step.remove));
          } else if ('release' in step) {
            for (const { entry } of kept.splice(0, step.release)) entry.release();
          } else {
            if (step.join) for (const chunk of collection.freeze()) chunk.pack();
            snapshots.push({ chunks: collection.freeze(), texts: texts() });
          }
          reclaim();
        }
        snapshots.push({ chunks: collection.freeze(), texts: texts() });
        for (const each of snapshots) expect(entriesOf(each.chunks).map(({ itemBytes }) => itemBytes.toString())).toEqual(each.texts);
        for (const { entry, text } of kept) expect(entry.itemBytes.toString()).toBe(text);
      }),
      { numRuns: 10 },
    );
  });
});

describe('entries in an arena', () => {
  it('share few Buffers', () => {
    const arena = new Arena();
    const entries = Array.from({ length: 1000 }, (_, n) => entryOf(arena, n, 3000));
    expect(new Set(entries.map(({ itemBytes }) => itemBytes.buffer)).size).toBeLessThan(30);
    expect(liveBytes(entries)).toBeLessThan(jsonBytes(entries) + 2 * BLOCK_BYTES);
  });

  it('retain little more than their size while they are replaced and removed', () => {
    const arena = new Arena();
    const collection = new Collection(new CacheBudget(0), arena);
    for (let n = 0; n < 6000; n++) collection.put(entryOf(arena, n, 5000));
    for (let i = 0; i < 30_000; i++) {
      const n = (i * 7919) % 6000;
      if (n % 4 === 3) collection.remove(keyOf('a', nameOf(n)));
      else collection.put(entryOf(arena, n, 5000 + (i % 7)));
      if (i % 1000 !== 999) continue;
      const entries = [...collection.entries()];
      // The end of a block may be unused by nearly one entry of 5,000 bytes.
      expect(liveBytes(entries)).toBeLessThan(jsonBytes(entries) * (1 + 1 / 12 + 1 / 24) + 3 * BLOCK_BYTES);
    }
  });

  it('are moved out of nearly empty blocks after a merge, without writes', () => {
    const arena = new Arena();
    const collection = new Collection(new CacheBudget(0), arena);
    // Adjacent keys are far apart in memory.
    for (let i = 0; i < 2000; i++) collection.put(entryOf(arena, (i * 777) % 2000, 3000));
    const chunks = collection.freeze();
    for (const chunk of chunks.slice(1)) chunk.pack();
    const entries = entriesOf(chunks);
    expect(liveBytes(entries)).toBeGreaterThan(jsonBytes(entries) + 30 * BLOCK_BYTES);
    arena.empty(Infinity);
    expect(liveBytes(entries)).toBeLessThan(jsonBytes(entries) + MIN_DEAD_BYTES + 2 * BLOCK_BYTES);
  });

  it('retain no block without entries', () => {
    const arena = new Arena();
    const collection = new Collection(new CacheBudget(0), arena);
    for (let n = 0; n < 500; n++) collection.put(entryOf(arena, n, 3000));
    const chunks = collection.freeze();
    for (const chunk of chunks) chunk.pack();
    const before = entriesOf(chunks).map(({ itemBytes }) => itemBytes.buffer);
    arena.empty(Infinity, 0);
    expect(entriesOf(chunks).map(({ itemBytes }) => itemBytes.buffer)).toEqual(before);
    expect(liveBytes(entriesOf(chunks))).toBe(jsonBytes(entriesOf(chunks)) + 500);
  });

  it('stay in place while referenced and not in a snapshot, and then become dead bytes', () => {
    const arena = new Arena();
    const collection = new Collection(new CacheBudget(0), arena);
    const put = (n: number): Entry => {
      const entry = entryOf(arena, n, 3000);
      entry.retain();
      collection.put(entry);
      return entry;
    };
    const first = Array.from({ length: 200 }, (_, n) => put(n));
    const before = first.map(({ itemBytes }) => itemBytes.buffer);
    const second = Array.from({ length: 200 }, (_, n) => put(n));
    arena.empty(Infinity, 0);
    expect(first.map(({ itemBytes }) => itemBytes.buffer)).toEqual(before);
    // Every second unreferenced entry becomes dead bytes, so that the others are moved.
    for (const [n, entry] of second.entries()) {
      entry.release();
      if (n % 2 === 0) collection.remove(keyOf('a', nameOf(n)));
    }
    const rest = [...collection.entries()];
    const place = rest.map(({ itemBytes }) => itemBytes.buffer);
    arena.empty(Infinity, 0);
    expect(rest.filter(({ itemBytes }, n) => itemBytes.buffer !== place[n]).length).toBeGreaterThan(rest.length / 2);
    expect(rest.map(({ itemBytes }) => itemBytes.toString())).toEqual(rest.map(({ name }) => textOf(Number(name.slice(1)), 3000)));
  });

  it('move to a separate Buffer when they are replaced after a list', () => {
    const arena = new Arena();
    const collection = new Collection(new CacheBudget(0), arena);
    const shown = entryOf(arena, 1, 3000);
    collection.put(shown);
    collection.freeze();
    const unseen = entryOf(arena, 2, 3000);
    collection.put(unseen);
    collection.put(entryOf(arena, 1, 2000));
    collection.put(entryOf(arena, 2, 2000));
    expect(shown.itemBytes.buffer.byteLength).toBe(shown.size);
    expect(unseen.itemBytes.buffer.byteLength).toBe(BLOCK_BYTES);
  });
});
