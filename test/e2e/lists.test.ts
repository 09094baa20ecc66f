/** Selectors, pages, and how fresh a list is. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiObject } from '../support/api-object.ts';
import type { Answer } from '../support/api.ts';
import { CRON_JOB, EVENT, POD_DISRUPTION_BUDGET, collectionPath, everywherePath, itemPath, type SampleObject } from '../support/kinds.ts';
import { describeServer } from '../support/stores.ts';

const namespace = 'lists';
const collection = collectionPath(CRON_JOB, namespace);
const names = (answer: Answer): readonly string[] => answer.list().items.map((item) => item.metadata.name);
const query = (parameters: Readonly<Record<string, string>>): string => `${collection}?${new URLSearchParams(parameters).toString()}`;

const LABELS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['a', { tier: 'front', env: 'prod' }],
  ['b', { tier: 'front', env: 'test' }],
  ['c', { tier: 'back', env: 'prod', canary: '' }],
  ['d', { tier: 'back', env: 'test', canary: 'yes' }],
  ['e', { env: 'prod', 'example.com/weight': '10' }],
  ['f', {}],
];

describeServer('Lists', (api) => {
  beforeAll(async () => {
    for (const [name, labels] of LABELS) {
      const sample = CRON_JOB.sample(name, namespace);
      expect((await api.post(collection, { ...sample, metadata: { ...sample.metadata, labels } })).code).toBe(201);
    }
  });

  describe('label selectors', () => {
    it.each([
      ['tier=front', 'ab'],
      ['tier==back', 'cd'],
      ['tier!=front', 'cdef'],
      ['tier', 'abcd'],
      ['!tier', 'ef'],
      ['canary=', 'c'],
      ['tier in (front,back)', 'abcd'],
      ['tier in ( front )', 'ab'],
      ['tier notin (front)', 'cdef'],
      ['env in (prod),tier notin (back)', 'ae'],
      ['env=prod,canary', 'c'],
      ['example.com/weight=10', 'e'],
      ['example.com/weight>9', 'e'],
      ['example.com/weight<10', ''],
      [' tier = front , env = test ', 'b'],
      ['', 'abcdef'],
      ['tier=front,tier=back', ''],
    ])('%s selects [%s]', async (labelSelector, expected) => {
      expect(names(await api.get(query({ labelSelector })))).toEqual([...expected]);
    });

    it.each(['tier=front,', 'a=b=c', 'tier in front', 'tier in (', '-x=1', 'x=-', 'x y', 'a>b', '!a=b', ',', 'a in (b c)'])(
      'refuse %s with 400',
      async (labelSelector) => {
        const answer = await api.get(query({ labelSelector }));
        expect(answer.code).toBe(400);
        expect(answer.status().reason).toBe('BadRequest');
      },
    );
  });

  describe('field selectors', () => {
    it.each([
      ['metadata.name=a', 'a'],
      ['metadata.name==a', 'a'],
      ['metadata.name!=a', 'bcdef'],
      [`metadata.name=a,metadata.namespace=${namespace}`, 'a'],
      ['metadata.namespace=other', ''],
      ['metadata.name=a,metadata.name=b', ''],
      ['', 'abcdef'],
    ])('%s selects [%s]', async (fieldSelector, expected) => {
      expect(names(await api.get(query({ fieldSelector })))).toEqual([...expected]);
    });

    it('select a namespace across all of them', async () => {
      const answer = await api.get(`${everywherePath(CRON_JOB)}?fieldSelector=metadata.namespace%3D${namespace}`);
      expect(names(answer)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    });

    it('join with label selectors', async () => {
      expect(names(await api.get(query({ fieldSelector: 'metadata.name!=a', labelSelector: 'env=prod' })))).toEqual(['c', 'e']);
    });

    it.each(['spec.schedule=x', 'metadata.uid=x', 'metadata.name', 'metadata.name>a'])('refuse %s with 400', async (fieldSelector) => {
      expect((await api.get(query({ fieldSelector }))).status()).toMatchObject({ code: 400, reason: 'BadRequest' });
    });

    it('name more fields for events', async () => {
      const events = collectionPath(EVENT, namespace);
      const sample = EVENT.sample('selectable', namespace);
      await api.post(events, sample);
      await api.post(events, { ...sample, metadata: { ...sample.metadata, name: 'other' }, reason: 'Other' });
      const answer = await api.get(`${events}?fieldSelector=${encodeURIComponent('reason=Other,type=Normal,regarding.kind=CronJob')}`);
      expect(names(answer)).toEqual(['other']);
    });
  });

  describe('pages', () => {
    const paged = collectionPath(POD_DISRUPTION_BUDGET, 'pages');
    const walk = async (path: string, limit: number, between: () => Promise<void> = async () => {}) => {
      const items: ApiObject[] = [];
      const versions = new Set<string>();
      const sizes: number[] = [];
      for (let token = ''; ;) {
        const join = path.includes('?') ? '&' : '?';
        const list = (await api.get(`${path}${join}limit=${limit}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`)).list();
        items.push(...list.items);
        versions.add(list.metadata.resourceVersion);
        sizes.push(list.items.length);
        token = list.metadata.continue ?? '';
        if (token === '') return { items, versions: [...versions], sizes };
        await between();
      }
    };

    beforeAll(async () => {
      for (let index = 0; index < 25; index++) {
        const sample = POD_DISRUPTION_BUDGET.sample(`p-${String(index).padStart(2, '0')}`, 'pages');
        await api.post(paged, { ...sample, metadata: { ...sample.metadata, labels: { half: String(index % 2) } } });
      }
    });

    it.each([1, 7, 24, 25, 26])('of %i objects walk to exactly the one list', async (limit) => {
      const whole = (await api.get(paged)).list();
      const walked = await walk(paged, limit);
      expect(walked.items).toEqual(whole.items);
      expect(Math.max(...walked.sizes)).toBeLessThanOrEqual(limit);
    });

    it('walk to exactly the one selected list', async () => {
      const path = `${paged}?labelSelector=half%3D1`;
      expect((await walk(path, 5)).items).toEqual((await api.get(path)).list().items);
    });

    it('walk across namespaces', async () => {
      expect((await walk(everywherePath(POD_DISRUPTION_BUDGET), 4)).items).toEqual(
        (await api.get(everywherePath(POD_DISRUPTION_BUDGET))).list().items,
      );
    });

    it('show the state of the first page, whatever is written meanwhile', async () => {
      const whole = (await api.get(paged)).list();
      let step = 0;
      const walked = await walk(paged, 6, async () => {
        step++;
        const last = itemPath(POD_DISRUPTION_BUDGET, 'pages', 'p-24');
        const object = (await api.get(last)).object();
        expect((await api.put(last, POD_DISRUPTION_BUDGET.change(object as unknown as SampleObject, step))).code).toBe(200);
        expect((await api.post(paged, POD_DISRUPTION_BUDGET.sample(`p-23-${step}`, 'pages'))).code).toBe(201);
      });
      expect(walked.items).toEqual(whole.items);
      expect(walked.versions).toEqual([whole.metadata.resourceVersion]);
      for (; step > 0; step--) await api.delete(itemPath(POD_DISRUPTION_BUDGET, 'pages', `p-23-${step}`));
    });

    it('say how many objects are left, except under a selector', async () => {
      const first = (await api.get(`${paged}?limit=10`)).list();
      expect(first.metadata.remainingItemCount).toBe(15);
      const selected = (await api.get(`${paged}?limit=10&labelSelector=half%3D0`)).list();
      expect(selected.metadata.continue).toBeTruthy();
      expect(selected.metadata).not.toHaveProperty('remainingItemCount');
    });

    it('refuse a broken continue token with 400', async () => {
      expect((await api.get(`${paged}?limit=5&continue=broken`)).status()).toMatchObject({ code: 400, reason: 'BadRequest' });
    });

    it('refuse a continue token beside a resourceVersion or a match', async () => {
      const token = encodeURIComponent((await api.get(`${paged}?limit=5`)).list().metadata.continue ?? '');
      expect((await api.get(`${paged}?limit=5&continue=${token}&resourceVersion=5`)).status().code).toBe(400);
      expect((await api.get(`${paged}?limit=5&continue=${token}&resourceVersionMatch=NotOlderThan`)).status().code).toBe(422);
    });

    it('treat a limit below zero as no limit and refuse one that is no number', async () => {
      expect((await api.get(`${paged}?limit=-1`)).list().items).toHaveLength(25);
      expect((await api.get(`${paged}?limit=many`)).status().code).toBe(400);
    });
  });

  describe('resourceVersion', () => {
    it('0 takes any state and no limit', async () => {
      const list = (await api.get(query({ resourceVersion: '0', limit: '2' }))).list();
      expect(list.items).toHaveLength(LABELS.length);
      expect(list.metadata.continue ?? '').toBe('');
    });

    it('of a list is served exactly with resourceVersionMatch=Exact', async () => {
      const before = (await api.get(collection)).list();
      await api.post(collection, CRON_JOB.sample('exact', namespace));
      const exact = (await api.get(query({ resourceVersion: before.metadata.resourceVersion, resourceVersionMatch: 'Exact' }))).list();
      expect(exact.items).toEqual(before.items);
      expect(exact.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
      await api.delete(`${collection}/exact`);
    });

    it('of a write is never missed with resourceVersionMatch=NotOlderThan', async () => {
      const written = (await api.post(collection, CRON_JOB.sample('newer', namespace))).object();
      const answer = await api.get(query({ resourceVersion: written.metadata.resourceVersion, resourceVersionMatch: 'NotOlderThan' }));
      expect(names(answer)).toContain('newer');
      await api.delete(`${collection}/newer`);
    });

    it('in the future waits three seconds, then answers 504 with a hint to come again: LIST and GET', async () => {
      const begin = performance.now();
      const answers = await Promise.all([
        api.get(query({ resourceVersion: '900000000' })),
        api.get(`${collection}/a?resourceVersion=900000000`),
      ]);
      expect(performance.now() - begin).toBeGreaterThan(2500);
      for (const answer of answers) {
        expect(answer.code).toBe(504);
        expect(answer.headers['retry-after']).toBe('1');
        expect(answer.status()).toMatchObject({ reason: 'Timeout', details: { retryAfterSeconds: 1 } });
        expect(answer.status().details?.causes).toContainEqual(expect.objectContaining({ reason: 'ResourceVersionTooLarge' }));
      }
    });

    it.each(['NotOlderThan', 'Exact'])('that comes while a list waits for it is answered: %s', async (resourceVersionMatch) => {
      const next = Number((await api.get(collection)).list().metadata.resourceVersion) + 1;
      const waiting = api.get(query({ resourceVersion: String(next), resourceVersionMatch }));
      // Others write, too: it comes at the latest by this one.
      expect((await api.post(collection, CRON_JOB.sample('awaited', namespace))).code).toBe(201);
      const { metadata } = (await waiting).list();
      if (resourceVersionMatch === 'Exact') expect(metadata.resourceVersion).toBe(String(next));
      else expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(next);
      await api.delete(`${collection}/awaited`);
    });

    it.each([
      [{ resourceVersionMatch: 'Exact' }, 422],
      [{ resourceVersion: '0', resourceVersionMatch: 'Exact' }, 422],
      [{ resourceVersion: '1', resourceVersionMatch: 'Nearly' }, 422],
      [{ resourceVersion: 'newest' }, 400],
      [{ resourceVersion: '-1' }, 400],
      [{ sendInitialEvents: 'true' }, 422],
      [{ timeoutSeconds: 'soon' }, 400],
    ])('and its companions are refused where they make no sense: %j', async (parameters, code) => {
      expect((await api.get(query(parameters as unknown as Record<string, string>))).status().code).toBe(code);
    });

    it('of a GET at or before now gives the object', async () => {
      const object = (await api.get(`${collection}/a`)).object();
      expect((await api.get(`${collection}/a?resourceVersion=0`)).object()).toEqual(object);
      expect((await api.get(`${collection}/a?resourceVersion=${object.metadata.resourceVersion}`)).object()).toEqual(object);
    });
  });

  describe('encodings', () => {
    it('are plain without Accept-Encoding, and gzip on request when it pays', async () => {
      const big = collectionPath(CRON_JOB, 'gzip');
      for (let index = 0; index < 120; index++) {
        const sample = CRON_JOB.sample(`g-${index}`, 'gzip');
        await api.post(big, { ...sample, metadata: { ...sample.metadata, annotations: { bulk: 'x'.repeat(1500) } } });
      }
      const plain = await api.get(big);
      expect(plain.headers['content-encoding']).toBeUndefined();
      const response = await fetch(`${api.baseUrl}${big}`, { headers: { 'accept-encoding': 'gzip' } });
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(await response.json()).toEqual(plain.json());
      expect(
        (await fetch(`${api.baseUrl}${collection}/a`, { headers: { 'accept-encoding': 'gzip' } })).headers.get('content-encoding'),
      ).toBeNull();
    });
  });
});
