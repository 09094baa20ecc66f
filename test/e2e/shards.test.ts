/** Collections that several clients share by the hash of a field, each with a part of it. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiObject } from '../support/api-object.ts';
import { collectionPath, everywherePath, itemPath, POD_DISRUPTION_BUDGET } from '../support/kinds.ts';
import { describeServer, type Suite } from '../support/stores.ts';

const END = '0x10000000000000000';
const range = (start: string, end: string, field = 'object.metadata.uid') => `shardRange(${field}, '${start}', '${end}')`;
const QUARTERS = ['0x0', '0x4000000000000000', '0x8000000000000000', '0xc000000000000000', END];
/** One of four parts; all of them together are everything. */
const quarter = (index: number, field?: string) => range(QUARTERS[index] ?? '', QUARTERS[index + 1] ?? '', field);
const ALL_QUARTERS = [0, 1, 2, 3];

const names = (objects: readonly ApiObject[]) => objects.map(({ metadata: { namespace, name } }) => `${namespace ?? ''}/${name}`).sort();
const inShard = (path: string, selector: string, more = '') => `${path}?shardSelector=${encodeURIComponent(selector)}${more}`;

/** A namespace with `count` objects. */
async function fill(api: Suite, namespace: string, count: number): Promise<string> {
  const collection = collectionPath(POD_DISRUPTION_BUDGET, namespace);
  const each = Array.from({ length: count }, (_, index) => POD_DISRUPTION_BUDGET.sample(`pdb-${index}`, namespace));
  for (const answer of await Promise.all(each.map((sample) => api.post(collection, sample)))) expect(answer.code).toBe(201);
  return collection;
}

describeServer(
  'Shards',
  (api) => {
    let collection: string;
    beforeAll(async () => {
      collection = await fill(api, 'shards', 24);
      // Names that differ at their ends alone lie close together.
      for (const namespace of ['red', 'green', 'blue', 'yellow', 'white']) await fill(api, namespace, 1);
    });

    describe('of a list', () => {
      it.each(['object.metadata.uid', 'object.metadata.namespace'])('by %s hold each object once', async (field) => {
        const everywhere = everywherePath(POD_DISRUPTION_BUDGET);
        const whole = (await api.get(everywhere)).list().items;
        const parts = await Promise.all(ALL_QUARTERS.map((index) => api.get(inShard(everywhere, quarter(index, field)))));
        expect(names(parts.flatMap((part) => part.list().items))).toEqual(names(whole));
        expect(parts.filter((part) => part.list().items.length > 0).length).toBeGreaterThan(1);
      });

      it('are joined by ||, and said in the answer', async () => {
        const selector = `${quarter(0)} || ${quarter(3)}`;
        const joined = (await api.get(inShard(collection, selector))).list();
        const apart = await Promise.all([quarter(0), quarter(3)].map((each) => api.get(inShard(collection, each))));
        expect(names(joined.items)).toEqual(names(apart.flatMap((part) => part.list().items)));
        expect(joined.metadata).toMatchObject({ shardInfo: { selector } });
      });

      it('come in pages, which do not tell how much is left', async () => {
        const selector = `${quarter(0)} || ${quarter(1)} || ${quarter(2)}`;
        const found: ApiObject[] = [];
        for (let token: string | undefined; ;) {
          const list = (await api.get(inShard(collection, selector, `&limit=4${token === undefined ? '' : `&continue=${token}`}`))).list();
          found.push(...list.items);
          expect(list.metadata).toMatchObject({ shardInfo: { selector } });
          expect(list.metadata).not.toHaveProperty('remainingItemCount');
          token = list.metadata.continue;
          if (token === undefined) break;
        }
        expect(found).toEqual((await api.get(inShard(collection, selector))).list().items);
        expect(found.length).toBeGreaterThan(4);
      });

      it('are refused with 400 when they cannot be read', async () => {
        for (const selector of [range('0x1', '0x1'), range('0', '1'), 'everything']) {
          expect((await api.get(inShard(collection, selector))).status()).toMatchObject({ code: 400, reason: 'BadRequest' });
        }
      });
    });

    it('of a watch show each change to one of them', async () => {
      const watched = collectionPath(POD_DISRUPTION_BUDGET, 'watched-shards');
      const from = (await api.get(watched)).list().metadata.resourceVersion;
      const watch = (index: number) => api.watch(inShard(watched, quarter(index), `&watch=true&resourceVersion=${from}`));
      const streams = await Promise.all(ALL_QUARTERS.map(watch));
      await fill(api, 'watched-shards', 8);
      const shards = await Promise.all(
        ALL_QUARTERS.map(async (index) =>
          (await api.get(inShard(watched, quarter(index)))).list().items.map(({ metadata }) => metadata.name),
        ),
      );
      await api.delete(watched);
      const seen = await Promise.all(
        streams.map(async (stream, index) => {
          const events = await stream.take((shards[index]?.length ?? 0) * 2);
          return events.map(({ type, object }) => `${type} ${object.metadata.name}`).sort();
        }),
      );
      expect(seen).toEqual(
        shards.map((shard) => [...shard.map((name) => `ADDED ${name}`), ...shard.map((name) => `DELETED ${name}`)].sort()),
      );
      expect(streams.flatMap((stream) => stream.pending())).toEqual([]);
      for (const stream of streams) stream.close();
      expect(shards.flat()).toHaveLength(8);
    });

    it('of a delete of a collection take their own objects', async () => {
      const emptied = await fill(api, 'emptied-shards', 12);
      const kept = (await Promise.all([1, 2, 3].map((index) => api.get(inShard(emptied, quarter(index)))))).flatMap(
        (part) => part.list().items,
      );
      expect((await api.delete(inShard(emptied, quarter(0)))).status().status).toBe('Success');
      expect(names((await api.get(emptied)).list().items)).toEqual(names(kept));
      expect((await api.get(itemPath(POD_DISRUPTION_BUDGET, 'shards', 'pdb-0'))).code).toBe(200);
    });
  },
  { flags: ['--feature-gates', 'ShardedListAndWatch=true'] },
);
