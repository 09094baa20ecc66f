import { describe, expect, it } from '@jest/globals';
import { toRevision, type Revision } from '../../pkg/storage/backend.ts';
import { isStorageError } from '../../pkg/storage/errors.ts';
import { rejection, useBackend, type Fixture, type OpenBackend } from './contract-options.ts';
import { record } from './recording.ts';

const EVERYTHING = { limit: 1_000, maxBytes: 1 << 24 };

/** Twenty updates of one key among others; the revisions of the updates. */
async function history({ put, remove }: Fixture): Promise<Revision[]> {
  await put('still', 'here');
  const gone = await put('gone', 'x');
  const revisions = [await put('a', 'value 0')];
  for (let i = 1; i < 20; i++) {
    revisions.push(await put('a', `value ${i}`, revisions[i - 1]));
    if (i === 5) await remove('gone', gone);
  }
  return revisions;
}

const at = (revisions: readonly Revision[], index: number): Revision => revisions.at(index) ?? toRevision(0);

export function describeCompaction(open: OpenBackend): void {
  describe('compact', () => {
    const store = useBackend(open);

    it('throws Compacted for states below, and keeps the state at the revision and all later ones', async () => {
      const fixture = store();
      const { backend, key, all } = fixture;
      const revisions = await history(fixture);
      await backend.compact(at(revisions, 10));
      for (const revision of [at(revisions, 0), at(revisions, 9)]) {
        expect(isStorageError(await rejection(backend.get(key('a'), revision)), 'Compacted')).toBe(true);
        expect(isStorageError(await rejection(backend.range({ ...all, ...EVERYTHING, revision })), 'Compacted')).toBe(true);
      }
      for (const index of [10, 11, 19]) {
        expect((await backend.get(key('a'), at(revisions, index))).record?.value.toString()).toBe(`value ${index}`);
        const page = await backend.range({ ...all, ...EVERYTHING, revision: at(revisions, index) });
        expect(page.records.map(({ value }) => value.toString())).toEqual([`value ${index}`, 'here']);
      }
      expect((await backend.status()).oldestRevision).toBeGreaterThan(at(revisions, 9));
    });

    it('leaves the current state alone when everything before it is forgotten', async () => {
      const fixture = store();
      const { backend, key, all } = fixture;
      const revisions = await history(fixture);
      await backend.compact(at(revisions, -1));
      expect((await backend.get(key('still'))).record?.value.toString()).toBe('here');
      expect((await backend.range({ ...all, ...EVERYTHING })).records.map(({ value }) => value.toString())).toEqual(['value 19', 'here']);
      expect(await backend.get(key('gone'))).not.toHaveProperty('record');
    });

    it('may be asked for twice, or for less than is forgotten already', async () => {
      const fixture = store();
      const revisions = await history(fixture);
      await fixture.backend.compact(at(revisions, 10));
      await fixture.backend.compact(at(revisions, 10));
      await fixture.backend.compact(at(revisions, 3));
      expect((await fixture.backend.get(fixture.key('a'), at(revisions, 10))).record?.value.toString()).toBe('value 10');
    });

    it('ends a watch with Compacted when what it would tell is gone before it starts', async () => {
      const fixture = store();
      const { backend } = fixture;
      const revisions = await history(fixture);
      await backend.compact(at(revisions, 10));
      const watch = record({ backend, from: at(revisions, 3) });
      await watch.until(({ ended }) => ended !== undefined);
      expect(isStorageError(watch.ended?.error, 'Compacted')).toBe(true);
      expect(watch.changes).toEqual([]);
    });

    it('replays to a watch from the very revision that is kept', async () => {
      const fixture = store();
      const { backend } = fixture;
      const revisions = await history(fixture);
      await backend.compact(at(revisions, 10));
      const watch = record({ backend, from: at(revisions, 10) });
      await watch.reached(at(revisions, -1));
      await watch.stop();
      expect(watch.changes.map(({ revision }) => revision)).toEqual(revisions.slice(11));
    });

    it('does not disturb a running watch that is past it', async () => {
      const fixture = store();
      const { backend, put } = fixture;
      const revisions = await history(fixture);
      const watch = record({ backend, from: at(revisions, 0) });
      await watch.reached(at(revisions, -1));
      const told = watch.changes.length;
      await backend.compact(at(revisions, -1));
      const next = await put('a', 'value 20', at(revisions, -1));
      await watch.reached(next);
      await watch.stop();
      expect(watch.changes.slice(told).map(({ revision }) => revision)).toEqual([next]);
      expect(watch.ended).toEqual({});
    });

    it('never makes a hole in a watch that it overtakes: all is told, or it ends with Compacted', async () => {
      const fixture = store();
      const { backend, put } = fixture;
      const from = await backend.currentRevision();
      const expected: Revision[] = [];
      let last = await put('a', 'x'.repeat(1_000));
      expected.push(last);
      for (let i = 0; i < 300; i++) {
        last = await put('a', 'x'.repeat(1_000), last);
        expected.push(last);
      }
      const watch = record({ backend, from, afterBatch: () => new Promise((resolve) => setImmediate(resolve)) });
      await backend.compact(toRevision(last - 10));
      for (let i = 0; i < 20; i++) {
        last = await put('a', 'y', last);
        expected.push(last);
      }
      await watch.until(({ ended, batches }) => ended !== undefined || (batches.at(-1)?.revision ?? 0) >= last);
      const told = watch.changes.map(({ revision }) => revision);
      if (watch.ended === undefined) expect(told).toEqual(expected);
      else {
        expect(isStorageError(watch.ended.error, 'Compacted')).toBe(true);
        expect(told).toEqual(expected.slice(0, told.length));
      }
      await watch.stop();
    });

    it('is remembered across a reopen', async () => {
      const fixture = store();
      const revisions = await history(fixture);
      await fixture.backend.compact(at(revisions, 10));
      const again = await fixture.reopen();
      expect(isStorageError(await rejection(again.get(fixture.key('a'), at(revisions, 8))), 'Compacted')).toBe(true);
      expect((await again.get(fixture.key('a'), at(revisions, 10))).record?.value.toString()).toBe('value 10');
      const watch = record({ backend: again, from: at(revisions, 5) });
      await watch.until(({ ended }) => ended !== undefined);
      expect(isStorageError(watch.ended?.error, 'Compacted')).toBe(true);
    });

    it('throws Future for a revision that has not happened', async () => {
      const { backend, put } = store();
      const revision = await put('a', 'one');
      expect(isStorageError(await rejection(backend.compact(toRevision(revision + 1_000_000))), 'Future')).toBe(true);
    });
  });
}
