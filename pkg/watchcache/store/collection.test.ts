import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { testEntry } from '../../../test/support/test-entry.ts';
import { keyOf } from '../../../test/support/widgets.ts';
import { type Chunk, fitsChunk, lengthWithCommas, MAX_CHUNK_BYTES } from './chunk.ts';
import { Collection } from './collection.ts';
import type { Entry } from './entry.ts';
import { Arena } from './arena.ts';
import { CacheBudget } from '../representations/cache-budget.ts';

const entryOf = (name: string, size: number): Entry => {
  // Different sizes have different bytes, to distinguish old and new entries.
  return testEntry(name, Buffer.alloc(Math.max(2, size), `${name}/${size}/`));
};

const nameOf = (n: number) => `w${String(n).padStart(5, '0')}`;
const textOf = (chunks: readonly Chunk[]) => chunks.flatMap(({ entries }) => entries.map(({ itemBytes }) => itemBytes.toString()));

/** Bytes of all Buffers that the chunks' entries reference. */
function liveBytes(...lists: (readonly Chunk[])[]): number {
  const arena = new Set<ArrayBufferLike>();
  for (const chunks of lists) for (const { entries } of chunks) for (const { itemBytes } of entries) arena.add(itemBytes.buffer);
  return [...arena].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

const jsonBytes = (chunks: readonly Chunk[]) => chunks.reduce((sum, { bytes }) => sum + bytes, 0);

describe('a collection', () => {
  it('keeps chunks within their limits and in key order over random writes', () => {
    const sizes = fc.oneof({ weight: 20, arbitrary: fc.nat(6000) }, { weight: 1, arbitrary: fc.integer({ min: 200_000, max: 400_000 }) });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(600), fc.option(sizes, { freq: 3 })), { maxLength: 1500, size: 'max' }), (writes) => {
        const collection = new Collection(new CacheBudget(1e6), new Arena());
        const model = new Map<string, string>();
        for (const [n, size] of writes) {
          if (size === null) {
            collection.remove(keyOf('a', nameOf(n)));
            model.delete(nameOf(n));
          } else {
            const entry = entryOf(nameOf(n), size);
            collection.put(entry);
            model.set(nameOf(n), entry.itemBytes.toString());
          }
        }
        const chunks = collection.freeze();
        expect(textOf(chunks)).toEqual([...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text));
        for (const chunk of chunks) {
          expect(chunk.bytes).toBe(lengthWithCommas(chunk.entries));
          expect(fitsChunk(chunk.entries.length, chunk.bytes)).toBe(true);
        }
        expect(collection.size).toBe(model.size);
      }),
      { numRuns: 20 },
    );
  });

  it('fills chunks if keys only increase', () => {
    const collection = new Collection(new CacheBudget(0), new Arena());
    for (let i = 0; i < 1280; i++) collection.put(entryOf(nameOf(i), 100));
    expect(collection.freeze().length).toBe(10);
  });

  it('merges small chunks after deletes', () => {
    const collection = new Collection(new CacheBudget(0), new Arena());
    for (let i = 0; i < 1280; i++) collection.put(entryOf(nameOf(i), 100));
    for (let i = 0; i < 1280; i++) if (i % 20 !== 0) collection.remove(keyOf('a', nameOf(i)));
    expect(collection.freeze().length).toBeLessThanOrEqual(3);
  });

  it('never changes a snapshot', () => {
    const collection = new Collection(new CacheBudget(0), new Arena());
    for (let i = 0; i < 500; i++) collection.put(entryOf(nameOf(i), 1000));
    const frozen = collection.freeze();
    for (const chunk of frozen) chunk.pack();
    const before = textOf(frozen);
    for (let i = 0; i < 500; i += 3) collection.put(entryOf(nameOf(i), 900));
    for (let i = 1; i < 500; i += 3) collection.remove(keyOf('a', nameOf(i)));
    for (const chunk of collection.freeze()) chunk.pack();
    expect(textOf(frozen)).toEqual(before);
  });

  it('stores bytes once after packing, and little more while they are replaced', () => {
    const arena = new Arena();
    const collection = new Collection(new CacheBudget(0), arena);
    for (let i = 0; i < 6000; i++) collection.put(entryOf(nameOf(i), 5000));
    for (const chunk of collection.freeze()) chunk.pack();
    expect(liveBytes(collection.freeze())).toBe(jsonBytes(collection.freeze()));
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 6000; i += 2) {
        arena.empty(1);
        collection.put(entryOf(nameOf((i * 7 + round) % 6000), 5000));
      }
      const chunks = collection.freeze();
      expect(liveBytes(chunks)).toBeLessThan(jsonBytes(chunks) * 1.11);
    }
  });

  it('retains 20 snapshots at the cost of the changes between them', () => {
    const collection = new Collection(new CacheBudget(0), new Arena());
    for (let i = 0; i < 5000; i++) collection.put(entryOf(nameOf(i), 3000));
    const snapshots: (readonly Chunk[])[] = [];
    const changedPerRound = 15;
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < changedPerRound; i++) collection.put(entryOf(nameOf((round * 331 + i * 97) % 5000), 3000));
      snapshots.push(collection.freeze());
      for (const chunk of collection.freeze()) chunk.pack();
    }
    const json = jsonBytes(collection.freeze());
    expect(liveBytes(...snapshots)).toBeLessThan(json + 20 * changedPerRound * 3001 + MAX_CHUNK_BYTES);
  });
});
