/**
 * Objects as Table and as partial metadata: what kubectl shows, and what informers ask for that need no more than
 * metadata.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.ts';
import { gone } from '../support/gone.ts';
import { CRON_JOB, EVENT, KINDS, POD_DISRUPTION_BUDGET, collectionPath, itemPath, removalPath } from '../support/kinds.ts';
import { openKubectl, type Kubectl } from '../support/kubectl.ts';
import { describeServer, WITHOUT_FAIRNESS } from '../support/stores.ts';

interface Table {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly columnDefinitions: readonly Readonly<Record<string, unknown>>[] | null;
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: PartialObject }[];
}

interface PartialObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** As kubectl asks. */
const TABLE = {
  accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
};
/**
 * As the metadata informer of client-go asks, for lists and for watches, in a form that is not served before one that
 * is.
 */
const partial = (kind: string) => ({
  accept: `application/cbor;as=${kind};g=meta.k8s.io;v=v1,application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`,
});
const PARTIAL_LIST = partial('PartialObjectMetadataList');
const PARTIAL = partial('PartialObjectMetadata');

const tableOf = (answer: Answer): Table => {
  const table = answer.json() as Table;
  if (table.kind !== 'Table') throw new Error(`no table: ${answer.text.slice(0, 500)}`);
  return table;
};

const AGE = expect.stringMatching(/^(?:\d+[smhdy]){1,2}$/) as unknown as string;
/** Of a time that a test has written: where the clock is set to is not ours to say. */
const ANY_AGE = expect.stringMatching(/^(?:(?:\d+[smhdy]){1,2}|<invalid>)$/) as unknown as string;
const AGES: ReadonlyMap<unknown, string> = new Map([
  ['{age}', AGE],
  ['{created}', expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown as string],
  ['{time}', ANY_AGE],
]);

describeServer(
  'Tables',
  (api) => {
    describe.each(KINDS)('of $kind', (kind) => {
      const namespace = `tables-${kind.resource}`;
      const { name } = kind.sample('shown', namespace).metadata;
      const collection = collectionPath(kind, namespace);
      const item = itemPath(kind, namespace, name);
      const removal = removalPath(kind, namespace, name);
      const columns = kind.columns(name);
      const cells = columns.map(({ cell }) => AGES.get(cell) ?? cell);
      // Others make objects of cluster-scoped kinds as well: the server, and the tests their namespaces.
      const rowsOf = (table: Table) => table.rows.filter(({ cells: [first] }) => kind.namespaced || first === name);

      it('are empty where there is nothing', async () => {
        const table = tableOf(await api.get(collection, TABLE));
        expect(table.apiVersion).toBe('meta.k8s.io/v1');
        expect(rowsOf(table)).toEqual([]);
        expect(table.columnDefinitions).toMatchObject(columns.map(({ name, wide }) => ({ name, priority: wide ? 1 : 0 })));
      });

      it('answer a create, a list, a read and a replace with the same cells', async () => {
        const created = tableOf(await api.send('POST', collection, { body: kind.sample('shown', namespace), headers: TABLE }));
        const stored = (await api.get(item)).object();
        const list = await api.get(collection, TABLE);
        const read = tableOf(await api.get(item, TABLE));
        expect(list.headers['content-type']).toBe('application/json');
        // Ages may have gone on from one answer to the next.
        const rows = [{ cells, object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: stored.metadata } }];
        for (const table of [created, tableOf(list), read]) {
          expect(table.columnDefinitions).toHaveLength(cells.length);
          expect(rowsOf(table)).toEqual(rows);
        }
        expect(created.metadata).toEqual({ resourceVersion: stored.metadata.resourceVersion });
        expect(read.metadata).toEqual({ resourceVersion: stored.metadata.resourceVersion });
        const replaced = tableOf(await api.send('PUT', item, { body: stored, headers: TABLE }));
        expect(replaced.rows).toEqual(rows);
      });

      it('carry of the object what includeObject says', async () => {
        const stored = (await api.get(item)).object();
        const objectOf = async (query: string, headers = TABLE) =>
          rowsOf(tableOf(await api.get(`${collection}?${query}`, headers)))[0]?.object;
        expect(await objectOf('includeObject=None')).toBeNull();
        expect(await objectOf('includeObject=Object')).toEqual(stored);
        expect(await objectOf('includeObject=')).toMatchObject({ kind: 'PartialObjectMetadata' });
        const beta = { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' };
        expect(await objectOf('includeObject=Metadata', beta)).toEqual({
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.k8s.io/v1beta1',
          metadata: stored.metadata,
        });
        const refused = (await api.get(`${collection}?includeObject=All`, TABLE)).status();
        expect([refused.code, refused.reason]).toEqual([400, 'BadRequest']);
      });

      it('leave a Status as it is', async () => {
        const deleted = (await api.send('DELETE', removal, { headers: TABLE })).json() as { kind: string };
        expect(deleted.kind).toBe(kind.deleteReturnsObject ? 'Table' : 'Status');
        await gone(api, item);
        expect((await api.get(item, TABLE)).status().code).toBe(404);
      });
    });

    describe('of many objects', () => {
      const namespace = 'tables-many';
      const collection = collectionPath(CRON_JOB, namespace);
      const names = (table: Table) => table.rows.map(({ cells }) => cells[0]);
      const all = Array.from({ length: 300 }, (_, i) => `job-${String(i).padStart(3, '0')}`);

      beforeAll(async () => {
        await Promise.all(all.map((name) => api.post(collection, CRON_JOB.sample(name, namespace))));
      });

      it('come in pages', async () => {
        const seen: unknown[] = [];
        let token = '';
        do {
          const query = `limit=90${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
          const { metadata, rows } = tableOf(await api.get(`${collection}?${query}`, TABLE));
          seen.push(...rows.map(({ cells }) => cells[0]));
          token = typeof metadata['continue'] === 'string' ? metadata['continue'] : '';
          expect(metadata['remainingItemCount']).toBe(token === '' ? undefined : all.length - seen.length);
        } while (token !== '');
        expect(seen).toEqual(all);
      });

      it('are the same with gzip, by selector and at an exact resourceVersion', async () => {
        const plain = await api.get(collection, TABLE);
        expect(names(tableOf(plain))).toEqual(all);
        const zipped = await fetch(api.baseUrl + collection, { headers: { ...TABLE, 'accept-encoding': 'gzip' } });
        expect(zipped.headers.get('content-encoding')).toBe('gzip');
        expect(names((await zipped.json()) as Table)).toEqual(all);
        const { metadata } = tableOf(plain);
        const version = String(metadata['resourceVersion']);
        await api.delete(itemPath(CRON_JOB, namespace, all[7] ?? ''));
        const exact = await api.get(`${collection}?resourceVersionMatch=Exact&resourceVersion=${version}`, TABLE);
        expect(names(tableOf(exact))).toEqual(all);
        await api.post(collection, CRON_JOB.sample(all[7] ?? '', namespace));
        const one = await api.get(`${collection}?fieldSelector=metadata.name%3D${all[3] ?? ''}`, TABLE);
        expect(names(tableOf(one))).toEqual([all[3]]);
      });

      it('lose and double nothing while they are watched beside a plain watch, also one that resumes', async () => {
        const { metadata } = (await api.get(collection)).list();
        const query = `${collection}?watch=1&resourceVersion=${metadata.resourceVersion}`;
        const [plain, table] = [await api.watch(query), await api.watch(query, TABLE)];
        for (let round = 0; round < 3; round++) {
          await Promise.all(
            all.map(async (name) => {
              const item = itemPath(CRON_JOB, namespace, name);
              const stored = (await api.get(item)).object();
              const code = (await api.put(item, CRON_JOB.change(stored as never, round))).code;
              expect(code).toBe(200);
            }),
          );
        }
        const resumed = await api.watch(query, TABLE);
        const expected = (await plain.take(900)).map(({ type, object }) => [type, object.metadata.name, object.metadata.resourceVersion]);
        for (const stream of [table, resumed]) {
          const events = await stream.take(900);
          const shown = events.map(({ type, object }) => {
            const { metadata: own, rows } = object as unknown as Table;
            expect(own).toEqual({ resourceVersion: rows[0]?.object.metadata.resourceVersion });
            return [type, rows[0]?.object.metadata.name, own['resourceVersion']];
          });
          expect(shown).toEqual(expected);
          const columns = events.map(({ object }) => (object as unknown as Table).columnDefinitions);
          expect(columns[0]).toHaveLength(10);
          expect(columns.slice(1).every((definitions) => definitions === null)).toBe(true);
        }
        for (const stream of [plain, table, resumed]) stream.close();
      });
    });

    describe('watched', () => {
      const namespace = 'tables-watched';
      const collection = collectionPath(CRON_JOB, namespace);

      it('begin with the objects there are, close with a bookmark, and end with the last state', async () => {
        const first = (await api.post(collection, CRON_JOB.sample('first', namespace))).object();
        const stream = await api.watch(
          `${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
          TABLE,
        );
        const [added, bookmark] = (await stream.take(2)).map(({ type, object }) => ({ type, table: object as unknown as Table }));
        expect(added).toMatchObject({ type: 'ADDED', table: { rows: [{ object: { metadata: { name: 'first' } } }] } });
        expect(bookmark?.type).toBe('BOOKMARK');
        const [row] = bookmark?.table.rows ?? [];
        expect(row?.cells).toEqual(['', '', '<none>', '<unset>', 0, '<none>', '<unknown>', '', '', '<none>']);
        expect(row?.object.metadata).toEqual({
          resourceVersion: bookmark?.table.metadata['resourceVersion'],
          annotations: { 'k8s.io/initial-events-end': 'true' },
        });
        await api.delete(itemPath(CRON_JOB, namespace, 'first'));
        const deleted = await stream.next();
        const table = deleted.object as unknown as Table;
        expect(deleted.type).toBe('DELETED');
        expect(table.rows[0]?.cells.slice(0, 2)).toEqual(['first', '*/5 * * * *']);
        expect(Number(table.metadata['resourceVersion'])).toBeGreaterThan(Number(first.metadata.resourceVersion));
        stream.close();
      });

      it('end with a plain Status when their resourceVersion is too old', async () => {
        const stream = await api.watch(`${collection}?watch=1&resourceVersion=1`, TABLE);
        const event = await stream.next();
        expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410 } });
        stream.close();
      });
    });

    describe('Partial metadata', () => {
      const namespace = 'tables-partial';
      const collection = collectionPath(POD_DISRUPTION_BUDGET, namespace);

      it('is listed and watched as informers ask for it', async () => {
        const stored = (await api.post(collection, POD_DISRUPTION_BUDGET.sample('only', namespace))).object();
        const item = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: stored.metadata };
        const list = (await api.get(collection, PARTIAL_LIST)).list();
        expect(list).toEqual({
          kind: 'PartialObjectMetadataList',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { resourceVersion: expect.any(String) as unknown },
          items: [item],
        });
        const read = await api.get(itemPath(POD_DISRUPTION_BUDGET, namespace, 'only'), PARTIAL);
        expect(read.json()).toEqual(item);
        const stream = await api.watch(`${collection}?watch=1`, PARTIAL);
        expect(await stream.next()).toEqual({ type: 'ADDED', object: item });
        const changed = (
          await api.put(itemPath(POD_DISRUPTION_BUDGET, namespace, 'only'), POD_DISRUPTION_BUDGET.change(stored as never, 1))
        ).object();
        expect(await stream.next()).toEqual({ type: 'MODIFIED', object: { ...item, metadata: changed.metadata } });
        stream.close();
      });

      it.each([
        ['a list', 'PartialObjectMetadata', '', 'a list (*policy.PodDisruptionBudgetList)'],
        ['one object', 'PartialObjectMetadataList', '/only', 'not a list (*policy.PodDisruptionBudget)'],
      ])('of %s is not a %s', async (_, kind, path, what) => {
        for (const otherwise of ['', ',application/json']) {
          const answer = await api.get(collection + path, { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1${otherwise}` });
          const message = `you requested ${kind}, but the requested object is ${what}`;
          expect(answer.status()).toMatchObject({ code: 406, reason: 'NotAcceptable', message });
        }
      });
    });

    describe('in kubectl', () => {
      let kubectl: Kubectl;
      const namespace = 'tables-kubectl';
      const rows = (text: string): readonly (readonly string[])[] =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => line.trimEnd().split(/ {2,}/));

      beforeAll(async () => {
        kubectl = await openKubectl({ server: () => api.baseUrl });
        for (const kind of [CRON_JOB, POD_DISRUPTION_BUDGET, EVENT])
          await api.post(collectionPath(kind, namespace), kind.sample('k', namespace));
      }, 200_000);
      afterAll(() => kubectl.close());

      it('have their own columns, more of them when wide', async () => {
        const get = async (...args: readonly string[]) => rows(await kubectl.told(['get', ...args, '-n', namespace]));
        const [header, row] = await get('cj', '-o', 'wide');
        expect(header).toEqual(
          expect.arrayContaining(['NAME', 'SCHEDULE', 'SUSPEND', 'LAST SCHEDULE', 'AGE', 'CONTAINERS', 'IMAGES', 'SELECTOR']),
        );
        expect(row).toEqual(expect.arrayContaining(['k', '*/5 * * * *', 'False', 'main', 'registry.example.com/work:1.0']));
        expect((await get('pdb'))[0]).toEqual(['NAME', 'MIN AVAILABLE', 'MAX UNAVAILABLE', 'ALLOWED DISRUPTIONS', 'AGE']);
        expect((await get('pdb'))[1]).toEqual(['k', '50%', 'N/A', '0', AGE]);
        expect((await get('events.v1.events.k8s.io'))[0]).toEqual(['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE']);
        expect((await get('events.v1.events.k8s.io'))[1]).toEqual([ANY_AGE, 'Normal', 'Scheduled', 'cronjob/nightly', 'a job was created']);
      });

      it('follow changes', async () => {
        let written = false;
        const { stdout } = await kubectl.follow(['get', 'cj', '-w', '-n', namespace], (text) => {
          const lines = rows(text).length;
          if (!written && lines === 2) {
            written = true;
            void api.post(collectionPath(CRON_JOB, namespace), CRON_JOB.sample('later', namespace));
          }
          return /^later .*\n/m.test(text);
        });
        const [header, first, second] = rows(stdout);
        expect([header?.[0], first?.[0], second?.[0]]).toEqual(['NAME', 'k', 'later']);
        expect(second?.slice(0, 2)).toEqual(['later', '*/5 * * * *']);
      });
    });
  },
  WITHOUT_FAIRNESS,
);
