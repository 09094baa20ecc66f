/** Reads of an object store, whatever backend it stands on. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseLabelSelector } from '../../pkg/apimachinery/selectors/label-selector.ts';
import type { Revision } from '../../pkg/storage/backend.ts';
import { toRevision } from '../../pkg/storage/backend.ts';
import type { ListQuery } from '../../pkg/registry/object-store.ts';
import type { SuiteContext } from './suite-context.ts';
import {
  CollectingWriter,
  everything,
  namesOf,
  never,
  openTestRegistry,
  pageBytes,
  parse,
  plainDelete,
  sample,
  storeOf,
  write,
} from './test-registry.ts';

export function describeReads({ store, backend, registry }: SuiteContext): void {
  const list = (query: Partial<ListQuery>) => store('CronJob').list({ ...everything, ...query }, never);
  const inOne = { namespace: 'reads-1' };

  describe('reads', () => {
    const revisions: Revision[] = [];
    beforeAll(async () => {
      for (const namespace of ['reads-1', 'reads-2']) {
        for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
          const labels = { parity: index % 2 === 0 ? 'even' : 'odd' };
          const { object } = await store('CronJob').create(namespace, sample('CronJob', { name, labels }), write);
          revisions.push(object.revision);
        }
      }
    });

    it('get at any state, at least at a revision, and exactly at one', async () => {
      const name = { namespace: 'reads-1', name: 'a' };
      const [revision] = revisions;
      if (revision === undefined) throw new Error('no revision');
      for (const at of [{ at: 'newest' }, { at: 'any' }, { at: 'notOlderThan', revision }, { at: 'exactly', revision }] as const) {
        expect((await store('CronJob').get(name, at, never)).revision).toBe(revision);
      }
      const before = { at: 'exactly', revision: toRevision(revision - 1) } as const;
      await expect(store('CronJob').get(name, before, never)).rejects.toMatchObject({ reason: 'NotFound' });
    });

    it('of a revision that does not come end with Timeout and its cause', async () => {
      const revision = toRevision((await list({})).revision + 1000);
      const timeout = {
        reason: 'Timeout',
        details: { retryAfterSeconds: 1, causes: [expect.objectContaining({ reason: 'ResourceVersionTooLarge' })] },
      };
      await Promise.all([
        expect(list({ at: { at: 'notOlderThan', revision } })).rejects.toMatchObject(timeout),
        expect(list({ at: { at: 'exactly', revision } })).rejects.toMatchObject(timeout),
        expect(store('CronJob').get({ namespace: 'reads-1', name: 'a' }, { at: 'notOlderThan', revision }, never)).rejects.toMatchObject(
          timeout,
        ),
      ]);
    });

    it('list a namespace, or all', async () => {
      expect(await namesOf(await list({ selection: inOne }))).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect((await namesOf(await list({}))).length).toBeGreaterThanOrEqual(10);
      expect(await namesOf(await list({ selection: { namespace: 'reads' } }))).toEqual([]);
    });

    it('list what a selector matches', async () => {
      const labels = parseLabelSelector('parity=odd');
      expect(await namesOf(await list({ selection: { ...inOne, labels } }))).toEqual(['b', 'd']);
    });

    it('list the state of a past revision', async () => {
      const revision = revisions[2];
      if (revision === undefined) throw new Error('no revision');
      const result = await list({ selection: inOne, at: { at: 'exactly', revision } });
      expect(result.revision).toBe(revision);
      expect(await namesOf(result)).toEqual(['a', 'b', 'c']);
    });

    it('list in pages of one state, whatever is written meanwhile', async () => {
      const pages: (readonly (string | undefined)[])[] = [];
      const remaining: unknown[] = [];
      let page = await list({ selection: inOne, limit: 2 });
      const first = page.revision;
      await store('CronJob').create('reads-1', sample('CronJob', { name: 'bb' }), write);
      for (;;) {
        pages.push(await namesOf(page));
        remaining.push(page.remainingItemCount);
        expect(page.revision).toBe(first);
        if (page.continueToken === undefined) break;
        page = await list({ selection: inOne, limit: 2, continueToken: page.continueToken });
      }
      await store('CronJob').delete({ namespace: 'reads-1', name: 'bb' }, plainDelete);
      expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
      expect(remaining).toEqual([3, 1, undefined]);
    });

    it('list pages of a selector without telling how much is left', async () => {
      const selection = { ...inOne, labels: parseLabelSelector('parity=even') };
      const page = await list({ selection, limit: 2 });
      expect(await namesOf(page)).toEqual(['a', 'c']);
      expect(page.remainingItemCount).toBeUndefined();
      expect(page.continueToken).toBeDefined();
    });

    it('go on at another server, from the backend, with the same bytes', async () => {
      const page = await list({ selection: inOne, limit: 2 });
      await store('CronJob').create('reads-2', sample('CronJob', { name: 'later' }), write);
      const other = await openTestRegistry(backend());
      try {
        const query = {
          ...everything,
          selection: inOne,
          limit: 2,
          ...(page.continueToken === undefined ? {} : { continueToken: page.continueToken }),
        };
        const here = await store('CronJob').list(query, never);
        const there = await storeOf(other, 'CronJob').list(query, never);
        expect(await namesOf(there)).toEqual(['c', 'd']);
        expect(await pageBytes(there)).toEqual(await pageBytes(here));
        expect(there.page.identityOnly).toBe(true);
        expect({ ...there, page: undefined }).toEqual({ ...here, page: undefined });
        expect([there.page.count, there.page.byteLength]).toEqual([here.page.count, here.page.byteLength]);
      } finally {
        await other.close();
      }
    });

    it.each(['parity=even', 'parity=odd', 'parity', '!parity'])('give pages of %s from the backend as from the cache', async (text) => {
      const selection = { labels: parseLabelSelector(text) };
      const newest = (await list({})).revision;
      await store('CronJob').create(
        'reads-2',
        sample('CronJob', { name: `moved-on-${text.length}-${text.startsWith('!') ? 'x' : text.slice(-1)}` }),
        write,
      );
      const other = await openTestRegistry(backend());
      try {
        const query = { ...everything, selection, limit: 3, at: { at: 'exactly', revision: newest } as const };
        const fromBackend = await storeOf(other, 'CronJob').list(query, never);
        expect(other.watchCache.resource('cronjobs.batch').retained(newest)).toBeUndefined();
        const all = await storeOf(other, 'CronJob').list({ ...query, limit: 0 }, never);
        expect((await namesOf(fromBackend)).length).toBe(Math.min(3, all.page.count));
        expect(fromBackend.continueToken === undefined).toBe(all.page.count <= 3);
      } finally {
        await other.close();
      }
    });

    it('refuse a broken continue token', async () => {
      await expect(list({ continueToken: 'nonsense', limit: 2 })).rejects.toMatchObject({ reason: 'BadRequest' });
    });

    it('cannot be led out of a namespace by a token of another', async () => {
      const { continueToken } = await list({ limit: 1 });
      const result = list({ selection: { namespace: 'reads-1' }, limit: 100, ...(continueToken === undefined ? {} : { continueToken }) });
      expect((await namesOf(await result)).every((name) => name !== undefined && name.length === 1)).toBe(true);
    });

    it('watch from the state now: each change once, in order', async () => {
      const end = new AbortController();
      const selection = { namespace: 'reads-watch' };
      const writer = new CollectingWriter();
      const run = await store('CronJob').watch({ selection, initialEvents: false, bookmarks: false, signal: end.signal });
      const watching = run(writer);
      const created = await store('CronJob').create('reads-watch', sample('CronJob', { name: 'w' }), write);
      const object = { ...sample('CronJob', { name: 'w', labels: { a: 'b' } }) };
      await store('CronJob').replace({ namespace: 'reads-watch', name: 'w' }, object, '', write);
      const removed = await store('CronJob').delete({ namespace: 'reads-watch', name: 'w' }, plainDelete);
      await registry().watchCache.reached(removed.object.revision, 5000);
      for (let turn = 0; turn < 100 && writer.lines.length < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      end.abort();
      expect((await watching).reason).toBe('aborted');
      expect(writer.lines.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
      expect(writer.lines[0]?.['object']).toEqual(parse(created.object));
    });
  });
}
