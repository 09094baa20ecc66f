/** Every kind is changed by every kind of patch, on every path that takes one, and by many writers at once. */
import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { ApiObject } from '../support/api-object.ts';
import type { Answer, Api } from '../support/api.ts';
import { KINDS, collectionPath, itemPath } from '../support/kinds.ts';
import { describeServer, WITHOUT_FAIRNESS } from '../support/stores.ts';

const NAMESPACE = 'patches';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

const patch = (api: Api, path: string, type: string, body: unknown): Promise<Answer> =>
  api.send('PATCH', path, { body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'content-type': type } });

const annotations = (object: ApiObject) => object.metadata.annotations ?? {};

describeServer(
  'Patches',
  (suite) => {
    describe.each(KINDS)('of a $kind', (kind) => {
      const create = async (name: string): Promise<{ path: string; object: ApiObject }> => {
        const object = (await suite.post(collectionPath(kind, NAMESPACE), kind.sample(name, NAMESPACE))).object();
        return { path: itemPath(kind, NAMESPACE, object.metadata.name), object };
      };
      const named = (name: string) => `patched-${name}`;

      it.each([
        ['merge patch', MERGE, { metadata: { annotations: { note: 'new' } } }],
        ['strategic merge patch', STRATEGIC, { metadata: { annotations: { note: 'new' } } }],
        ['JSON patch', JSON_PATCH, [{ op: 'add', path: '/metadata/annotations', value: { note: 'new' } }]],
      ])('a %s changes what it names, and nothing when sent again', async (what, type, body) => {
        const { path, object } = await create(named(what.replaceAll(' ', '-').toLowerCase()));
        const changed = (await patch(suite, path, type, body)).object();
        expect(annotations(changed)).toEqual({ note: 'new' });
        expect(Number(changed.metadata.resourceVersion)).toBeGreaterThan(Number(object.metadata.resourceVersion));
        const again = (await patch(suite, path, type, body)).object();
        expect(again).toEqual(changed);
        expect((await suite.get(path)).object()).toEqual(changed);
      });

      it('an apply creates it, changes it, and takes away what it no longer names', async () => {
        const sample = kind.sample(named('by-apply'), NAMESPACE);
        const path = itemPath(kind, NAMESPACE, sample.metadata.name);
        const wish = (notes: Readonly<Record<string, string>>) =>
          stringify({ ...sample, metadata: { ...sample.metadata, annotations: notes } });
        const apply = (text: string) => patch(suite, `${path}?fieldManager=applier`, APPLY, text);
        const created = await apply(wish({ one: '1', two: '2' }));
        expect(created.code).toBe(201);
        expect(created.object().metadata.managedFields).toMatchObject([
          { manager: 'applier', operation: 'Apply', apiVersion: kind.apiVersion },
        ]);
        const unchanged = await apply(wish({ one: '1', two: '2' }));
        expect(unchanged.code).toBe(200);
        expect(unchanged.object()).toEqual(created.object());
        const changed = (await apply(wish({ two: '3' }))).object();
        expect(annotations(changed)).toEqual({ two: '3' });
        expect((await suite.get(path)).object()).toEqual(changed);
      });

      it('a patch whose result breaks a rule is refused, and leaves everything as it was', async () => {
        const { path, object } = await create(named('refused'));
        for (const [type, body] of [
          [MERGE, { metadata: { labels: { note: 'not a label' } } }],
          [STRATEGIC, { metadata: { labels: { note: 'not a label' } } }],
          [JSON_PATCH, [{ op: 'add', path: '/metadata/labels', value: { note: 'not a label' } }]],
        ] as const) {
          const answer = await patch(suite, path, type, body);
          expect(answer.code).toBe(422);
          expect(answer.status().details?.causes).toMatchObject([{ reason: 'FieldValueInvalid', field: 'metadata.labels' }]);
        }
        expect((await suite.get(path)).object()).toEqual(object);
      });

      it('a dry run shows the change and does not make it', async () => {
        const { path, object } = await create(named('dry'));
        const shown = (await patch(suite, `${path}?dryRun=All`, MERGE, { metadata: { annotations: { note: 'new' } } })).object();
        expect(annotations(shown)).toEqual({ note: 'new' });
        expect((await suite.get(path)).object()).toEqual(object);
      });
    });

    it('lose nothing when 50 writers patch different fields of one object at once, and refuse none', async () => {
      const [kind] = KINDS.filter((each) => each.kind === 'CronJob');
      if (kind === undefined) throw new Error('there is no CronJob');
      const path = itemPath(kind, NAMESPACE, 'crowded');
      await suite.post(collectionPath(kind, NAMESPACE), kind.sample('crowded', NAMESPACE));
      const writers = Array.from({ length: 50 }, (_, index) => index);
      const answers = await Promise.all(
        writers.map((index) => {
          const metadata = { annotations: { [`writer-${index}`]: String(index) } };
          if (index % 3 === 0) return patch(suite, path, MERGE, { metadata });
          if (index % 3 === 1) return patch(suite, path, STRATEGIC, { metadata });
          return patch(
            suite,
            `${path}?fieldManager=writer-${index}`,
            APPLY,
            stringify({ apiVersion: kind.apiVersion, kind: kind.kind, metadata }),
          );
        }),
      );
      expect(answers.filter(({ code }) => code !== 200).map(({ text }) => text)).toEqual([]);
      const object = (await suite.get(path)).object();
      expect(annotations(object)).toEqual(Object.fromEntries(writers.map((index) => [`writer-${index}`, String(index)])));
    });
  },
  WITHOUT_FAIRNESS,
);
