import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyOf } from '../../test/support/widgets.ts';
import { toRevision } from '../storage/backend.ts';
import type { Chunk } from './chunk.ts';
import { Collection } from './collection.ts';
import { Entry } from './entry.ts';
import { EntrySlabs, SLAB_BYTES } from './entry-slabs.ts';
import { MemoBudget } from './memo-budget.ts';

const nameOf = (n: number) => `w${String(n).padStart(5, '0')}`;
const textOf = (n: number, size: number) => `${nameOf(n)}/${size}/`.repeat(size).slice(0, Math.max(2, size));

function entryOf(slabs: EntrySlabs, n: number, size: number): Entry {
  const text = textOf(n, size);
  const { slab, offset } = slabs.reserve(text.length) ?? { slab: undefined, offset: 0 };
  const bytes = slab?.bytes ?? Buffer.alloc(text.length);
  const end = offset + bytes.write(text, offset, 'latin1');
  const facts = { uid: '', labels: undefined, fields: undefined };
  return new Entry(
    { key: keyOf('a', nameOf(n)), namespace: 'a', name: nameOf(n) },
    toRevision(1),
    facts,
    undefined,
    bytes,
    offset,
    end,
    slab,
  );
}

const entriesOf = (chunks: readonly Chunk[]) => chunks.flatMap(({ entries }) => entries);

/** Bytes of all Buffers that the entries keep alive. */
function liveBytes(entries: readonly Entry[]): number {
  const buffers = new Set(entries.map(({ listForm }) => listForm.buffer));
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

const jsonBytes = (entries: readonly Entry[]) => entries.reduce((sum, { size }) => sum + size, 0);

describe('entries in slabs', () => {
  it('keep their bytes over random writes, joins, snapshots and moves', () => {
    const sizes = fc.oneof({ weight: 20, arbitrary: fc.nat(6000) }, { weight: 1, arbitrary: fc.integer({ min: 10_000, max: 150_000 }) });
    const steps = fc.oneof(
      { weight: 20, arbitrary: fc.record({ put: fc.nat(120), size: sizes }) },
      { weight: 5, arbitrary: fc.record({ remove: fc.nat(120) }) },
      { weight: 1, arbitrary: fc.record({ join: fc.boolean() }) },
    );
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 500, size: 'max' }), (all) => {
        const slabs = new EntrySlabs();
        const collection = new Collection(new MemoBudget(0));
        const model = new Map<string, string>();
        const snapshots: { readonly chunks: readonly Chunk[]; readonly texts: readonly string[] }[] = [];
        const texts = () => [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
        for (const step of all) {
          if ('put' in step) {
            collection.put(entryOf(slabs, step.put, step.size));
            model.set(nameOf(step.put), textOf(step.put, step.size));
          } else if ('remove' in step) {
            collection.remove(keyOf('a', nameOf(step.remove)));
            model.delete(nameOf(step.remove));
          } else {
            if (step.join) for (const chunk of collection.freeze()) chunk.join();
            snapshots.push({ chunks: collection.freeze(), texts: texts() });
          }
        }
        snapshots.push({ chunks: collection.freeze(), texts: texts() });
        for (const each of snapshots) expect(entriesOf(each.chunks).map(({ listForm }) => listForm.toString())).toEqual(each.texts);
      }),
      { numRuns: 10 },
    );
  });

  it('lie side by side', () => {
    const slabs = new EntrySlabs();
    const entries = Array.from({ length: 1000 }, (_, n) => entryOf(slabs, n, 3000));
    expect(new Set(entries.map(({ listForm }) => listForm.buffer)).size).toBeLessThan(30);
    expect(liveBytes(entries)).toBeLessThan(jsonBytes(entries) + 2 * SLAB_BYTES);
  });

  it('never keep more than a third more alive than there is of them, while they are replaced and removed', () => {
    const slabs = new EntrySlabs();
    const collection = new Collection(new MemoBudget(0));
    for (let n = 0; n < 2000; n++) collection.put(entryOf(slabs, n, 3000));
    for (let i = 0; i < 20_000; i++) {
      const n = (i * 7919) % 2000;
      if (n % 4 === 3) collection.remove(keyOf('a', nameOf(n)));
      else collection.put(entryOf(slabs, n, 3000 + (i % 7)));
      if (i % 1000 !== 999) continue;
      const entries = entriesOf(collection.freeze());
      expect(liveBytes(entries)).toBeLessThan((jsonBytes(entries) * 4) / 3 + 3 * SLAB_BYTES);
    }
  });

  it('leave slabs that a join has nearly emptied, though nothing is written', () => {
    const slabs = new EntrySlabs();
    const collection = new Collection(new MemoBudget(0));
    // Neighbours in key order lie far from each other.
    for (let i = 0; i < 2000; i++) collection.put(entryOf(slabs, (i * 777) % 2000, 3000));
    const chunks = collection.freeze();
    for (const chunk of chunks.slice(1)) chunk.join();
    const entries = entriesOf(chunks);
    expect(liveBytes(entries)).toBeGreaterThan(jsonBytes(entries) + 5 * SLAB_BYTES);
    slabs.tidy(Infinity);
    expect(liveBytes(entries)).toBeLessThan(jsonBytes(entries) + 2 * SLAB_BYTES);
  });

  it('keep nothing of a slab that all have left', () => {
    const slabs = new EntrySlabs();
    const collection = new Collection(new MemoBudget(0));
    for (let n = 0; n < 500; n++) collection.put(entryOf(slabs, n, 3000));
    const chunks = collection.freeze();
    for (const chunk of chunks) chunk.join();
    const before = entriesOf(chunks).map(({ listForm }) => listForm.buffer);
    slabs.tidy(Infinity);
    expect(entriesOf(chunks).map(({ listForm }) => listForm.buffer)).toEqual(before);
    expect(liveBytes(entriesOf(chunks))).toBe(jsonBytes(entriesOf(chunks)) + 500);
  });
});
