import { afterEach, describe, expect, it } from '@jest/globals';
import { createFieldSelector, createLabelSelector } from '../apimachinery/selectors/selector.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import { type Log, silentLog } from '../observability/logging.ts';
import { deadline } from '../../test/support/wait.ts';
import { NO_REVISION, toRevision, type WatchBatch } from '../storage/backend.ts';
import { toKey } from '../storage/keys.ts';
import { encodeRecord } from '../storage/record.ts';
import { toContinueToken } from './continue-token.ts';
import { ManualClock } from '../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../test/registry/memory-backend.ts';
import { everything, namesOf, never, openTestRegistry, plainDelete, sample, storeOf, write } from '../../test/registry/test-registry.ts';

const NAMESPACE = 'n';

/** Registries of failed tests have timers that would keep the run alive. */
const opened: Awaited<ReturnType<typeof openTestRegistry>>[] = [];
afterEach(() => Promise.all(opened.splice(0).map((registry) => registry.close())));
const openRegistry: typeof openTestRegistry = async (...args) => {
  const registry = await openTestRegistry(...args);
  opened.push(registry);
  return registry;
};

async function filled(names: readonly string[]): Promise<MemoryBackend> {
  const backend = new MemoryBackend();
  const registry = await openRegistry(backend);
  for (const name of names) await storeOf(registry, 'CronJob').create(NAMESPACE, sample('CronJob', { name }), write);
  await registry.close();
  return backend;
}

describe('a list whose state is gone', () => {
  it('is refused with Expired and a token to go on at the newest state', async () => {
    const backend = await filled(['a', 'b', 'c', 'd']);
    const first = await openRegistry(backend);
    const { continueToken = '' } = await storeOf(first, 'CronJob').list({ ...everything, limit: 2 }, never);
    await storeOf(first, 'CronJob').delete({ namespace: NAMESPACE, name: 'c' }, plainDelete);
    await first.close();
    await backend.compact(await backend.currentRevision());

    const second = await openRegistry(backend);
    const list = (token: string) => storeOf(second, 'CronJob').list({ ...everything, limit: 2, continueToken: token }, never);
    const refused: unknown = await list(continueToken).catch((error: unknown) => error);
    if (!(refused instanceof StatusError)) throw new Error('not refused');
    expect(refused).toMatchObject({ reason: 'Expired', code: 410 });
    expect(await namesOf(await list(refused.continueToken ?? ''))).toEqual(['d']);
    await second.close();
    await backend.close();
  });

  it('goes on right behind what was shown: nothing is passed over that was created there, or selected since', async () => {
    const backend = await filled(['a', 'e', 'g']);
    const labels = { app: 'x' };
    const first = await openRegistry(backend);
    const cronJobs = storeOf(first, 'CronJob');
    for (const name of ['b', 'f']) await cronJobs.create(NAMESPACE, sample('CronJob', { name, labels }), write);
    const selection = { labels: createLabelSelector([{ key: 'app', operator: 'in', values: ['x'], spelling: '' }]) };
    const pages = [
      { ...everything, limit: 1 },
      { ...everything, limit: 1, selection },
    ];
    const tokens = await Promise.all(pages.map(async (page) => (await cronJobs.list(page, never)).continueToken ?? ''));
    for (const name of ['aa', 'c']) await cronJobs.create(NAMESPACE, sample('CronJob', { name, labels }), write);
    await first.close();
    await backend.compact(await backend.currentRevision());

    const second = await openRegistry(backend);
    const shown = await Promise.all(
      pages.map(async (page, index) => {
        const list = (continueToken = '') => storeOf(second, 'CronJob').list({ ...page, limit: 0, continueToken }, never);
        const refused: unknown = await list(tokens[index]).catch((error: unknown) => error);
        if (!(refused instanceof StatusError)) throw new Error('not refused');
        return namesOf(await list(refused.continueToken));
      }),
    );
    expect(shown).toEqual([
      ['aa', 'b', 'c', 'e', 'f', 'g'],
      ['c', 'f'],
    ]);
    await second.close();
    await backend.close();
  });

  it('is refused with Expired when it never was: the store is another one', async () => {
    const backend = await filled(['a', 'b', 'c']);
    const registry = await openRegistry(backend);
    const list = (continueToken: string) => storeOf(registry, 'CronJob').list({ ...everything, limit: 2, continueToken }, never);
    const start = toKey('/batch/cronjobs/n/b');
    const ahead = toContinueToken(toKey('/batch/cronjobs/'), { revision: toRevision((await backend.currentRevision()) + 1000), start });
    const refused: unknown = await list(ahead).catch((error: unknown) => error);
    if (!(refused instanceof StatusError)) throw new Error('not refused');
    expect(refused).toMatchObject({ reason: 'Expired', code: 410 });
    expect(await namesOf(await list(refused.continueToken ?? ''))).toEqual(['b', 'c']);
  });

  it('is refused with Expired when an exact revision was asked for', async () => {
    const backend = await filled(['a', 'b']);
    const past = await backend.currentRevision();
    const registry = await openRegistry(backend);
    await storeOf(registry, 'CronJob').create(NAMESPACE, sample('CronJob', { name: 'c' }), write);
    // A cache that lags shows the earlier state.
    expect(await registry.watchCache.isFresh()).toBe(true);
    await backend.compact(await backend.currentRevision());
    const list = storeOf(registry, 'CronJob').list({ ...everything, at: { at: 'exactly', revision: past } }, never);
    await expect(list).rejects.toMatchObject({ reason: 'Expired' });
    await registry.close();
    await backend.close();
  });
});

describe('a store whose watch tells of the own keys alone', () => {
  /** Writes of other keys increase the revision without an event. */
  class SilentBackend extends MemoryBackend {
    readonly freshness = 'backend';

    override async *watch(query: Parameters<MemoryBackend['watch']>[0]): AsyncGenerator<WatchBatch> {
      for await (const { changes } of super.watch(query)) {
        const told = changes.filter(({ key }) => !key.startsWith('/others/'));
        const last = told.at(-1);
        if (last !== undefined) yield { revision: last.revision, changes: told };
      }
    }
  }

  it('is read for a revision that has come, without waiting for word of it', async () => {
    const backend = new SilentBackend();
    // A wait for time to pass never ends.
    const registry = await openRegistry(backend, { clock: new ManualClock(0) });
    const cronJobs = storeOf(registry, 'CronJob');
    await cronJobs.create(NAMESPACE, sample('CronJob', { name: 'a' }), write);
    await backend.commit({ key: toKey('/others/x'), ifRevision: NO_REVISION, value: Buffer.from('x') });
    const revision = await backend.currentRevision();
    const name = { namespace: NAMESPACE, name: 'a' };
    for (const at of ['notOlderThan', 'exactly'] as const) {
      const list = await deadline(cronJobs.list({ ...everything, at: { at, revision } }, never), 2000, 'the list');
      expect(await namesOf(list)).toEqual(['a']);
      expect(list.revision).toBe(revision);
      const { json } = await deadline(cronJobs.get(name, { at, revision }, never), 2000, 'the object');
      expect(Buffer.concat(json).toString()).toContain('"name":"a"');
    }
    await registry.close();
    await backend.close();
  });
});

describe('a stored value that is none of ours', () => {
  const broken = [
    ['of an unknown representation', Buffer.from('left by another program')],
    [
      'cut off',
      encodeRecord({
        token: '12345678',
        json: Buffer.from('{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"b","annotations":{"a":"'),
      }),
    ],
    ['of another kind', encodeRecord({ token: '12345678', json: Buffer.from('{"kind":"Other"}') })],
  ] as const;

  it.each(broken)('%s is told of wherever it would be shown, hides no other object, and can be logged', async (_, value) => {
    const backend = await filled(['a', 'c']);
    await backend.commit({ key: toKey(`/batch/cronjobs/${NAMESPACE}/b`), ifRevision: NO_REVISION, value });
    const errors: string[] = [];
    const log: Log = { ...silentLog, error: (message) => void errors.push(message), warn: (message) => void errors.push(message) };
    const registry = await openRegistry(backend, { log });
    const cronJobs = storeOf(registry, 'CronJob');
    const named = { namespace: NAMESPACE, fields: createFieldSelector([{ field: 'metadata.name', operator: '=', value: 'a' }]) };
    const revision = await backend.currentRevision();
    await cronJobs.create(NAMESPACE, sample('CronJob', { name: 'd' }), write);
    for (const at of [{ at: 'newest' }, { at: 'exactly', revision }] as const) {
      await expect(cronJobs.list({ ...everything, at }, never)).rejects.toMatchObject({ reason: 'StorageReadError' });
      expect(await namesOf(await cronJobs.list({ ...everything, selection: named, at }, never))).toEqual(['a']);
      expect(await namesOf(await cronJobs.list({ ...everything, selection: { namespace: 'other' }, at }, never))).toEqual([]);
    }
    const name = { namespace: NAMESPACE, name: 'b' };
    await expect(cronJobs.get(name, { at: 'newest' }, never)).rejects.toMatchObject({ reason: 'InternalError' });
    await expect(cronJobs.delete(name, plainDelete)).rejects.toMatchObject({ reason: 'InternalError' });
    await expect(cronJobs.create(NAMESPACE, sample('CronJob', { name: 'b' }), write)).rejects.toBeInstanceOf(StatusError);
    expect(errors).not.toEqual([]);
    await expect(cronJobs.deleteUnreadable({ ...name, name: 'a' }, write)).rejects.toMatchObject({ reason: 'Invalid', code: 422 });
    await cronJobs.deleteUnreadable(name, write);
    await expect(cronJobs.deleteUnreadable(name, write)).rejects.toMatchObject({ reason: 'NotFound' });
    expect(await namesOf(await cronJobs.list(everything, never))).toEqual(['a', 'c', 'd']);
    await registry.close();
    await backend.close();
  });

  it('damaged inside is no fault of the client who writes it', async () => {
    const backend = await filled(['a']);
    const json = Buffer.from('{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"b","annotations":{"a":}}}');
    await backend.commit({
      key: toKey(`/batch/cronjobs/${NAMESPACE}/b`),
      ifRevision: NO_REVISION,
      value: encodeRecord({ token: '12345678', json }),
    });
    const registry = await openRegistry(backend);
    const put = storeOf(registry, 'CronJob').replace({ namespace: NAMESPACE, name: 'b' }, sample('CronJob', { name: 'b' }), '', write);
    await expect(put).rejects.toMatchObject({ reason: 'InternalError' });
    await registry.close();
    await backend.close();
  });
});
