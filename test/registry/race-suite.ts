/** What holds when a cache is behind, a reply is lost, or time passes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import type { KubernetesObject } from '../../pkg/apis/kind.ts';
import type { ObjectStore } from '../../pkg/registry/object-store.ts';
import type { Registry } from '../../pkg/registry/registry.ts';
import { FaultyBackend } from './faulty-backend.ts';
import { ManualClock } from './manual-clock.ts';
import { reason, type SuiteContext } from './suite-context.ts';
import {
  dry,
  everything,
  namesOf,
  never,
  openTestRegistry,
  parse,
  plainDelete,
  readNewest,
  reread,
  sample,
  storeOf,
  write,
} from './test-registry.ts';

const labelled = (object: KubernetesObject, labels: JsonObject): KubernetesObject =>
  ({ ...object, metadata: { ...object.metadata, labels } }) as KubernetesObject;
const unconditional = (object: KubernetesObject): KubernetesObject => {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};

/** `store` is that of a registry whose cache is current; `late` gets one whose cache is held back from now on. */
export function describeStaleCache({ store, backend }: SuiteContext): void {
  const namespace = 'stale';
  describe('a store whose cache is behind', () => {
    let faulty: FaultyBackend;
    let registry: Registry;
    const kinds = ['CronJob', 'ControllerRevision'];
    const names = ['updated', 'replaced', 'deleted', 'recreated', 'finalizer', 'undone', 'dry'];
    const before = new Map<string, KubernetesObject>();
    const late = (kind = 'CronJob'): ObjectStore => storeOf(registry, kind);
    const ahead = (kind = 'CronJob'): ObjectStore => store(kind);
    const old = (name: string, kind = 'CronJob'): KubernetesObject => {
      const object = before.get(`${kind}/${name}`);
      if (object === undefined) throw new Error(name);
      return object;
    };

    beforeAll(async () => {
      for (const kind of kinds) {
        for (const name of names) {
          before.set(
            `${kind}/${name}`,
            reread((await ahead(kind).create(namespace, sample(kind, { name, labels: { was: 'here' } }), write)).object),
          );
        }
      }
      faulty = new FaultyBackend(backend());
      registry = await openTestRegistry(faulty);
      await registry.watchCache.isFresh();
      faulty.holdWatch();
    });
    afterAll(async () => {
      faulty.releaseWatch();
      await registry.close();
    });

    const name = (of: string) => ({ namespace, name: of });
    const update = async (of: string, labels: JsonObject, kind = 'CronJob') =>
      reread((await ahead(kind).replace(name(of), labelled(old(of, kind), labels), '', write)).object);

    it('accepts an update of a state that it has not seen', async () => {
      const newer = await update('updated', { step: '1' });
      const result = await late().replace(name('updated'), labelled(newer, { step: '2' }), '', write);
      expect(result.outcome).toBe('updated');
      await expect(late().replace(name('updated'), labelled(newer, { step: '3' }), '', write)).rejects.toEqual(reason('Conflict'));
    });

    it('does not take a change back to what it remembers for no change', async () => {
      await update('undone', { changed: 'yes' });
      const result = await late().replace(name('undone'), unconditional(old('undone')), '', write);
      expect(result.outcome).toBe('updated');
      expect((await readNewest(ahead(), name('undone'))).metadata.labels).toEqual({ was: 'here' });
    });

    it('updates and deletes an object that it has never seen', async () => {
      const created = reread((await ahead().create(namespace, sample('CronJob', { name: 'unseen' }), write)).object);
      await expect(late().create(namespace, sample('CronJob', { name: 'unseen' }), write)).rejects.toEqual(reason('AlreadyExists'));
      expect((await late().replace(name('unseen'), labelled(created, { a: 'b' }), '', write)).outcome).toBe('updated');
      expect((await late().delete(name('unseen'), plainDelete)).outcome).toBe('removed');
    });

    it('does not find, and creates, what is gone', async () => {
      await ahead().delete(name('deleted'), plainDelete);
      const lost = { ...unconditional(old('deleted')), metadata: { name: 'deleted' } };
      await expect(late().replace(name('deleted'), lost, '', write)).rejects.toEqual(reason('NotFound'));
      await expect(late().delete(name('deleted'), plainDelete)).rejects.toEqual(reason('NotFound'));
      expect((await late().create(namespace, sample('CronJob', { name: 'deleted' }), write)).outcome).toBe('created');
    });

    it('checks preconditions and rules against the object that is there now', async () => {
      const kind = 'ControllerRevision';
      await ahead(kind).delete(name('recreated'), plainDelete);
      const body = sample(kind, { name: 'recreated' }, { data: { other: true } });
      const { metadata } = reread((await ahead(kind).create(namespace, body, write)).object);
      const changed = { ...body, metadata: { ...metadata, labels: { a: 'b' } } };
      expect((await late(kind).replace(name('recreated'), changed, '', write)).outcome).toBe('updated');
      const preconditions = { uid: old('recreated', kind).metadata.uid ?? '' };
      await expect(late(kind).delete(name('recreated'), { ...plainDelete, preconditions })).rejects.toEqual(reason('Conflict'));
      const now = { uid: metadata.uid ?? '' };
      expect((await late(kind).delete(name('recreated'), { ...plainDelete, preconditions: now })).outcome).toBe('removed');
    });

    it('is held by a finalizer that it has not seen', async () => {
      const object = old('finalizer');
      await ahead().replace(
        name('finalizer'),
        { ...object, metadata: { ...object.metadata, finalizers: ['example.com/hold'] } },
        '',
        write,
      );
      expect((await late().delete(name('finalizer'), plainDelete)).outcome).toBe('held');
    });

    it('computes a dry run from the object that is there now', async () => {
      const newer = await update('dry', { step: '1' });
      const { object } = await late().replace(name('dry'), labelled(newer, { step: '2' }), '', dry);
      expect(parse(object).metadata.resourceVersion).toBe(newer.metadata.resourceVersion);
      await expect(late().replace(name('dry'), labelled(old('dry'), { step: '2' }), '', dry)).rejects.toEqual(reason('Conflict'));
    });

    it('reads nothing older than an acknowledged write', async () => {
      const newer = await update('replaced', { read: 'me' });
      await ahead().create(namespace, sample('CronJob', { name: 'just-made' }), write);
      const [got, listed, paged] = await Promise.all([
        late().get(name('replaced'), { at: 'newest' }, never),
        late().list({ ...everything, selection: { namespace } }, never),
        late().list({ ...everything, selection: { namespace }, limit: 3 }, never),
      ]);
      expect(parse(got)).toMatchObject({ metadata: { labels: { read: 'me' }, resourceVersion: newer.metadata.resourceVersion } });
      const current = await ahead().list({ ...everything, selection: { namespace } }, never);
      expect(await namesOf(listed)).toEqual(await namesOf(current));
      expect(await namesOf(listed)).toContain('just-made');
      expect(await namesOf(paged)).toEqual((await namesOf(current)).slice(0, 3));
    });

    it('does not call a revision too large that others have seen', async () => {
      const { revision } = (await ahead().create(namespace, sample('CronJob', { name: 'seen-by-others' }), write)).object;
      const at = { at: 'notOlderThan', revision } as const;
      const [got, listed] = await Promise.all([
        late().get(name('seen-by-others'), at, never),
        late().list({ ...everything, selection: { namespace }, at }, never),
      ]);
      expect(got.revision).toBe(revision);
      expect(await namesOf(listed)).toContain('seen-by-others');
    });
  });
}

export function describeLostReplies({ store, backend }: SuiteContext): void {
  const namespace = 'lost';
  describe('a write whose reply is lost', () => {
    let faulty: FaultyBackend;
    let registry: Registry;
    beforeAll(async () => {
      faulty = new FaultyBackend(backend());
      registry = await openTestRegistry(faulty);
    });
    afterAll(async () => {
      await registry.close();
    });
    const cronJobs = () => storeOf(registry, 'CronJob');
    const make = async (name: string) => reread((await store('CronJob').create(namespace, sample('CronJob', { name }), write)).object);
    const known = async (name: string) => {
      const object = await make(name);
      await registry.watchCache.isFresh();
      return object;
    };
    const name = (of: string) => ({ namespace, name: of });
    const stored = (of: string) => readNewest(store('CronJob'), name(of));

    it('is acknowledged when it created the object', async () => {
      faulty.failNext('lost');
      const result = await cronJobs().create(namespace, sample('CronJob', { name: 'created' }), write);
      expect(result.outcome).toBe('created');
      expect(reread(result.object)).toEqual(await stored('created'));
    });

    it('is acknowledged when it updated the object, also while the store is out of reach for a moment', async () => {
      const object = await known('updated');
      faulty.failNext('lost');
      faulty.failChecks(3);
      const result = await cronJobs().replace(name('updated'), labelled(object, { a: 'b' }), '', write);
      expect(result.outcome).toBe('updated');
      expect(reread(result.object)).toEqual(await stored('updated'));
    });

    it('is answered with Timeout when it deleted: another may have done so', async () => {
      await known('deleted');
      faulty.failNext('lost');
      await expect(cronJobs().delete(name('deleted'), plainDelete)).rejects.toEqual(reason('Timeout'));
      await expect(stored('deleted')).rejects.toEqual(reason('NotFound'));
    });

    it('is answered with Timeout when nothing is to be seen of it, and not written a second time', async () => {
      const object = await known('untouched');
      const { commits } = faulty;
      faulty.failNext('dropped');
      await expect(cronJobs().create(namespace, sample('CronJob', { name: 'not-created' }), write)).rejects.toEqual(reason('Timeout'));
      faulty.failNext('dropped');
      await expect(cronJobs().replace(name('untouched'), labelled(object, { a: 'b' }), '', write)).rejects.toEqual(reason('Timeout'));
      faulty.failNext('dropped');
      await expect(cronJobs().delete(name('untouched'), plainDelete)).rejects.toEqual(reason('Timeout'));
      expect(faulty.commits - commits).toBe(3);
      expect(await stored('untouched')).toEqual(object);
      await expect(stored('not-created')).rejects.toEqual(reason('NotFound'));
    });

    it('is a conflict when another update came first and a resourceVersion was sent', async () => {
      const object = await known('overtaken');
      faulty.failNext('lost', () => store('CronJob').replace(name('overtaken'), labelled(object, { by: 'another' }), '', write));
      await expect(cronJobs().replace(name('overtaken'), labelled(object, { by: 'me' }), '', write)).rejects.toEqual(reason('Conflict'));
      expect((await stored('overtaken')).metadata.labels).toEqual({ by: 'another' });
    });

    it('is tried again when another update came first and any state may be replaced', async () => {
      const object = await known('retried');
      faulty.failNext('lost', () => store('CronJob').replace(name('retried'), labelled(object, { by: 'another' }), '', write));
      const mine = unconditional(labelled(object, { by: 'me' }));
      expect((await cronJobs().replace(name('retried'), mine, '', write)).outcome).toBe('updated');
      expect((await stored('retried')).metadata.labels).toEqual({ by: 'me' });
    });

    it('is AlreadyExists when another create came first', async () => {
      faulty.failNext('lost', () => make('theirs'));
      await expect(cronJobs().create(namespace, sample('CronJob', { name: 'theirs' }), write)).rejects.toEqual(reason('AlreadyExists'));
    });

    it('is found behind an object of that name that came and went', async () => {
      faulty.failNext('lost', async () => {
        await make('after-another');
        await store('CronJob').delete(name('after-another'), plainDelete);
      });
      const result = await cronJobs().create(namespace, sample('CronJob', { name: 'after-another' }), write);
      expect(reread(result.object)).toEqual(await stored('after-another'));
    });

    it('is answered with Timeout when another object of that name came and went: it may still arrive', async () => {
      faulty.failNext('dropped', async () => {
        await make('came-and-went');
        await store('CronJob').delete(name('came-and-went'), plainDelete);
      });
      const create = cronJobs().create(namespace, sample('CronJob', { name: 'came-and-went' }), write);
      await expect(create).rejects.toEqual(reason('Timeout'));
    });

    it('deletes again when it was an update that came first', async () => {
      const object = await known('delete-overtaken');
      faulty.failNext('lost', () => store('CronJob').replace(name('delete-overtaken'), labelled(object, { by: 'another' }), '', write));
      expect((await cronJobs().delete(name('delete-overtaken'), plainDelete)).outcome).toBe('removed');
    });

    it('ends with Timeout when the request ends before the watch has come so far', async () => {
      const object = await known('given-up');
      const request = new AbortController();
      faulty.holdWatch();
      faulty.failNext('lost', async () => {
        setImmediate(() => request.abort());
      });
      const put = cronJobs().replace(name('given-up'), labelled(object, { a: 'b' }), '', { ...write, signal: request.signal });
      await expect(put).rejects.toEqual(reason('Timeout'));
      faulty.releaseWatch();
    });
  });
}

export function describeExpiry({ store, backend }: SuiteContext): void {
  const namespace = 'expiry';
  const HOUR = 3_600_000;
  // Later than the clock of any other registry over this backend, so that none of them finds these events due.
  const START = Date.parse('2126-03-14T15:00:00Z');
  const exists = (name: string) =>
    readNewest(store('Event'), { namespace, name }).then(
      () => true,
      () => false,
    );
  /** Lets time pass in small steps until it holds. */
  const until = async (clock: ManualClock, condition: () => Promise<boolean>) => {
    for (let step = 0; step < 500; step++) {
      if (await condition()) return;
      clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error('time passed, and it did not happen');
  };

  describe('expiry', () => {
    it('deletes what is due, leaves what was renewed, and touches no other kind', async () => {
      const clock = new ManualClock(START);
      const registry = await openTestRegistry(backend(), { clock, eventTtlMs: HOUR, identity: 'expiry-1' });
      try {
        const events = storeOf(registry, 'Event');
        await events.create(namespace, sample('Event', { name: 'due' }), write);
        const renewed = reread((await events.create(namespace, sample('Event', { name: 'renewed' }), write)).object);
        await storeOf(registry, 'CronJob').create(namespace, sample('CronJob', { name: 'stays' }), write);
        clock.advance(HOUR / 2);
        await events.replace({ namespace, name: 'renewed' }, labelled(renewed, { again: 'yes' }), '', write);
        clock.advance(HOUR / 2);
        await until(clock, async () => !(await exists('due')));
        expect(await exists('renewed')).toBe(true);
        clock.advance(HOUR);
        await until(clock, async () => !(await exists('renewed')));
        await readNewest(store('CronJob'), { namespace, name: 'stays' });
      } finally {
        await registry.close();
      }
    });

    it('deletes what fell due while no server ran, one key per revision', async () => {
      const first = await openTestRegistry(backend(), { clock: new ManualClock(START), eventTtlMs: HOUR });
      const names = Array.from({ length: 40 }, (_, index) => `overdue-${index}`);
      for (const name of names) await storeOf(first, 'Event').create(namespace, sample('Event', { name }), write);
      await first.close();
      const from = await backend().currentRevision();

      const clock = new ManualClock(START + 2 * HOUR);
      const second = await openTestRegistry(backend(), { clock, eventTtlMs: HOUR, identity: 'expiry-2' });
      try {
        await until(clock, async () => {
          const left = await namesOf(await store('Event').list({ ...everything, selection: { namespace } }, never));
          return !left.some((name) => name?.startsWith('overdue'));
        });
        const end = new AbortController();
        const revisions: number[] = [];
        for await (const { changes } of backend().watch({ from, signal: end.signal })) {
          revisions.push(
            ...changes.filter(({ key, record }) => record === undefined && key.includes('overdue')).map(({ revision }) => revision),
          );
          if (revisions.length >= names.length) break;
        }
        end.abort();
        expect(new Set(revisions).size).toBe(names.length);
      } finally {
        await second.close();
      }
    });
  });
}
