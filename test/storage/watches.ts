import { describe, expect, it } from '@jest/globals';
import { NO_REVISION, toRevision, type RevisedChange, type Revision } from '../../pkg/storage/backend.ts';
import { keyText } from '../../pkg/storage/keys.ts';
import { useBackend, type BackendCapabilities, type OpenBackend } from './contract-options.ts';
import { record, type Recording } from './recording.ts';

const seen = ({ changes }: { readonly changes: readonly RevisedChange[] }) =>
  changes
    .filter(({ key }) => key.startsWith('/suite/things/'))
    .map((change) => [keyText(change.key).replace('/suite/things/', ''), change.revision, change.record?.value.toString()]);

function expectWholeRevisionsInOrder({ batches }: Recording, from: Revision): void {
  let complete: number = from;
  for (const { revision, changes } of batches) {
    expect(revision).toBeGreaterThanOrEqual(complete);
    let previous = complete;
    for (const change of changes) {
      // Later than the batch before: no revision comes twice, and none is split between two.
      expect(change.revision).toBeGreaterThan(complete);
      expect(change.revision).toBeGreaterThanOrEqual(previous);
      expect(change.revision).toBeLessThanOrEqual(revision);
      if (change.record !== undefined) expect(change.record).toMatchObject({ key: change.key, revision: change.revision });
      previous = change.revision;
    }
    complete = revision;
  }
}

export function describeWatches(open: OpenBackend, can: BackendCapabilities): void {
  describe('watch', () => {
    const store = useBackend(open);

    it('replays what happened after a past revision, then goes on with what happens', async () => {
      const { backend, put, remove } = store();
      const from = await put('a', 'one');
      const b = await put('b', 'two');
      const c = await put('a', 'three', from);
      const watch = record({ backend, from });
      await watch.reached(c);
      const d = await remove('b', b);
      const e = await put('c', 'four');
      await watch.reached(e);
      await watch.stop();
      expect(seen(watch)).toEqual([
        ['b', b, 'two'],
        ['a', c, 'three'],
        ['b', d, undefined],
        ['c', e, 'four'],
      ]);
      expectWholeRevisionsInOrder(watch, from);
    });

    it('starts at now without anything of the past', async () => {
      const { backend, put } = store();
      await put('a', 'one');
      const from = await backend.currentRevision();
      const watch = record({ backend, from });
      const next = await put('b', 'two');
      await watch.reached(next);
      await watch.stop();
      expect(seen(watch)).toEqual([['b', next, 'two']]);
    });

    it('waits for a revision in the future, and tells only what comes after it', async () => {
      const { backend, put } = store();
      const now = await put('a0', 'x');
      const from = toRevision(now + 3);
      const watch = record({ backend, from });
      const revisions: Revision[] = [];
      for (let i = 1; i <= 6; i++) revisions.push(await put(`a${i}`, 'x'));
      await watch.reached(revisions.at(-1) ?? now);
      await watch.stop();
      expect(seen(watch).map(([, revision]) => revision)).toEqual(revisions.filter((revision) => revision > from));
      expectWholeRevisionsInOrder(watch, from);
    });

    it('tells every change exactly once, in order, to watches that start anywhere beside many writers', async () => {
      const { backend, key } = store();
      const from = await backend.currentRevision();
      const written: [string, Revision, string | undefined][] = [];
      const watches: [Revision, Recording][] = [[from, record({ backend, from })]];
      const writer = async (id: number) => {
        let last = NO_REVISION;
        for (let i = 0; i < 60; i++) {
          const value = last !== NO_REVISION && i % 7 === 6 ? null : Buffer.from(`${id}.${i}`);
          const result = await backend.commit({ key: key(`w${id % 8}-${id}`), ifRevision: last, value });
          if (result.outcome !== 'committed') throw new Error('no one else writes this key', { cause: result });
          written.push([`w${id % 8}-${id}`, result.revision, value?.toString()]);
          last = value === null ? NO_REVISION : result.revision;
          if (i % 20 === 10) watches.push([result.revision, record({ backend, from: result.revision })]);
        }
      };
      await Promise.all(Array.from({ length: 16 }, (_, id) => writer(id)));
      const end = await backend.currentRevision();
      const expected = written.toSorted(([, left], [, right]) => left - right);
      for (const [start, watch] of watches) {
        await watch.reached(end);
        expect(seen(watch)).toEqual(expected.filter(([, revision]) => revision > start));
        expectWholeRevisionsInOrder(watch, start);
        await watch.stop();
      }
    });

    it('carries many megabytes of history to a reader that is slow', async () => {
      const { backend, put } = store();
      const from = await backend.currentRevision();
      let last = from;
      for (let i = 0; i < 10; i++) last = await put(`a${i}`, Buffer.alloc(1_000_000, 97 + i));
      const watch = record({ backend, from, afterBatch: () => new Promise((resolve) => setImmediate(resolve)) });
      await watch.reached(last);
      await watch.stop();
      expect(watch.changes.map(({ record: found }) => found?.value.length)).toEqual(Array.from({ length: 10 }, () => 1_000_000));
      expect(watch.changes.map(({ record: found }) => found?.value[0])).toEqual(Array.from({ length: 10 }, (_, i) => 97 + i));
    });

    it('shows nothing that a read of the same moment does not show', async () => {
      const { backend, key, put } = store();
      const from = await backend.currentRevision();
      const stale: number[] = [];
      const watch = record({
        backend,
        from,
        afterBatch: async ({ revision }) => {
          if ((await backend.currentRevision()) < revision) stale.push(revision);
        },
      });
      const last = (await Promise.all(Array.from({ length: 100 }, (_, i) => put(`a${i}`, 'x')))).toSorted((a, b) => a - b).at(-1);
      await watch.reached(last ?? from);
      await watch.stop();
      expect(stale).toEqual([]);
      expect((await backend.get(key('a99'))).record).toBeDefined();
    });

    if (can.progress) {
      it('says that it is complete up to now when there is nothing to tell', async () => {
        const { backend, put } = store();
        const from = await put('a', 'one');
        const watch = record({ backend, from });
        await watch.until(({ batches }) => batches.length > 0);
        await watch.stop();
        expect(watch.batches[0]).toEqual({ revision: from, changes: [] });
      });
    }

    it('ends without throwing when its signal aborts, idle or in the middle of history', async () => {
      const { backend, put } = store();
      const from = await backend.currentRevision();
      for (let i = 0; i < 20; i++) await put(`a${i}`, 'x');
      const idle = record({ backend, from: await backend.currentRevision() });
      const future = record({ backend, from: toRevision((await backend.currentRevision()) + 1_000) });
      const busy = record({ backend, from });
      await busy.until(({ changes }) => changes.length > 0);
      await Promise.all([idle.stop(), future.stop(), busy.stop()]);
      expect([idle.ended, future.ended, busy.ended]).toEqual([{}, {}, {}]);
    });

    it('tells nothing when its signal has aborted already', async () => {
      const { backend, put } = store();
      const from = await backend.currentRevision();
      await put('a', 'x');
      const batches = [];
      for await (const batch of backend.watch({ from, signal: AbortSignal.abort() })) batches.push(batch);
      expect(batches).toEqual([]);
    });

    it('may be left by its reader at any time', async () => {
      const { backend, put } = store();
      const from = await backend.currentRevision();
      await put('a', 'x');
      const signal = new AbortController().signal;
      for await (const batch of backend.watch({ from, signal })) {
        if (batch.changes.length > 0) break;
      }
      const next = await put('b', 'x');
      const watch = record({ backend, from });
      await watch.reached(next);
      await watch.stop();
      expect(seen(watch)).toHaveLength(2);
    });

    it('ends without throwing when the backend closes', async () => {
      const { backend, put } = store();
      const from = await put('a', 'one');
      const watches = [record({ backend, from }), record({ backend, from: toRevision(from + 100) })];
      await backend.close();
      for (const watch of watches) await watch.until(({ ended }) => ended !== undefined);
      expect(watches.map(({ ended }) => ended)).toEqual([{}, {}]);
    });
  });
}
