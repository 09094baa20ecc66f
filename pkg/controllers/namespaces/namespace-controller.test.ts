import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NamespaceLifecycleMode } from '../../admission/namespace-lifecycle/namespace-lifecycle.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { type LogFields, silentLog } from '../../observability/logging.ts';
import { createNamespaces, findNamespaces } from '../../registry/namespaces.ts';
import { objectKey } from '../../registry/keys.ts';
import type { CurrentObject, ObjectStore } from '../../registry/object-store.ts';
import type { Registry, ServedKind } from '../../registry/registry.ts';
import { NO_REVISION } from '../../storage/backend.ts';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import {
  everything,
  openTestRegistry,
  plainDelete,
  readNewest,
  sample,
  servedNamed,
  storeOf,
  write,
} from '../../../test/registry/test-registry.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { createRegistryEventRecorder } from '../event-recorder.ts';
import { createNamespaceController, type NamespaceControllerOptions } from './namespace-controller.ts';

/** Kinds before and after CronJob in the order of a pass. */
const KINDS_BESIDE = ['Job', 'Secret', 'ConfigMap'];

/** No admission plugin looks at namespaces here, as on a server that has not yet seen what happened to one. */
describe('the namespace controller', () => {
  let backend: MemoryBackend;
  let registry: Registry;
  beforeEach(async () => {
    backend = new MemoryBackend();
    registry = await openTestRegistry(backend);
  });
  afterEach(async () => {
    await registry.close();
    await backend.close();
  });
  const run = (mode: NamespaceLifecycleMode, overrides: Partial<NamespaceControllerOptions> = {}) => {
    const namespaces = createNamespaces(registry);
    const recordEvent = createRegistryEventRecorder(registry, {
      clock: systemClock,
      random: randomBytes,
      log: silentLog,
      component: 'test',
    });
    const options = { mode, namespaces, registry, recordEvent, clock: systemClock, log: silentLog, ...overrides };
    registry.lead('namespaces', createNamespaceController(options));
  };
  /** The registry with another store of CronJobs. */
  const withStore = (change: (store: ObjectStore) => Partial<ObjectStore>) => {
    const cronJobs = servedNamed(registry, 'CronJob');
    const changed: ServedKind = { ...cronJobs, store: { ...cronJobs.store, ...change(cronJobs.store) } };
    return {
      find: (resource: string, group: string) => registry.find(resource, group),
      served: registry.served.map((kind) => (kind === cronJobs ? changed : kind)),
    };
  };
  const recordingLog = () => {
    const lines: { readonly message: string; readonly fields: LogFields }[] = [];
    const info = (message: string, fields: LogFields = {}) => {
      lines.push({ message, fields });
    };
    return { log: { ...silentLog, info, warn: info }, lines };
  };
  const namespaceNames = async () => {
    const { page } = await findNamespaces(registry).store.list(everything, write.signal);
    return Array.from(page.objects, ({ name }) => name);
  };
  const namesIn = async (namespace: string) => {
    const { page } = await storeOf(registry, 'CronJob').list({ ...everything, selection: { namespace } }, write.signal);
    return Array.from(page.objects, ({ name }) => name);
  };
  const createIn = (namespace: string, name: string) => storeOf(registry, 'CronJob').create(namespace, sample('CronJob', { name }), write);
  const createHeldIn = (namespace: string, name: string) =>
    storeOf(registry, 'CronJob').create(namespace, sample('CronJob', { name, finalizers: ['example.com/hold'] }), write);
  const label = async (store: ObjectStore, namespace: string, name: string, value: string) => {
    const patch = ({ object }: CurrentObject) => ({ ...object, metadata: { ...object.metadata, labels: { value } } });
    await store.update({ namespace, name }, '', { by: 'patch', patch }, write);
  };
  const deleteNamespace = (name: string) => findNamespaces(registry).store.delete({ namespace: '', name }, plainDelete);
  const isGone = async (name: string) => !(await namespaceNames()).includes(name);
  /** The controller has done what it was told before. */
  const caughtUp = async () => {
    await createNamespace('later');
    await deleteNamespace('later');
    await waitFor(() => isGone('later'), { what: 'the end of another namespace' });
  };
  const createNamespace = (name: string) => findNamespaces(registry).store.create('', sample('Namespace', { name }), write);

  it('makes the namespace of objects that have none, stored before or later', async () => {
    await createIn('before', 'a');
    run('implicit');
    await waitFor(async () => (await namespaceNames()).includes('before'), { what: 'the namespace' });
    await createIn('later', 'a');
    await waitFor(async () => (await namespaceNames()).includes('later'), { what: 'the namespace' });
    expect(await namesIn('before')).toEqual(['a']);
  });

  it('makes a namespace again for what was created while it went', async () => {
    await createNamespace('gone');
    run('implicit');
    await findNamespaces(registry).store.delete({ namespace: '', name: 'gone' }, plainDelete);
    await waitFor(async () => !(await namespaceNames()).includes('gone'), { what: 'the end of the namespace' });
    await createIn('gone', 'slipped-in');
    await waitFor(async () => (await namespaceNames()).includes('gone'), { what: 'the namespace' });
    expect(await namesIn('gone')).toEqual(['slipped-in']);
  });

  it('deletes what was created while a namespace went, when namespaces are not made implicitly', async () => {
    await createNamespace('gone');
    await createIn('never', 'kept');
    run('strict');
    await findNamespaces(registry).store.delete({ namespace: '', name: 'gone' }, plainDelete);
    await waitFor(async () => !(await namespaceNames()).includes('gone'), { what: 'the end of the namespace' });
    await createIn('gone', 'slipped-in');
    await waitFor(async () => (await namesIn('gone')).length === 0, { what: 'the end of the object' });
    expect(await namesIn('never')).toEqual(['kept']);
    expect(await namespaceNames()).toEqual([]);
  });

  it('empties a namespace of more objects than a page has', async () => {
    await createNamespace('large');
    await Promise.all(Array.from({ length: 1200 }, (_, index) => createIn('large', `job-${index}`)));
    await createIn('other', 'kept');
    run('strict');
    await findNamespaces(registry).store.delete({ namespace: '', name: 'large' }, plainDelete);
    await waitFor(async () => !(await namespaceNames()).includes('large'), { what: 'the end of the namespace' });
    expect([await namesIn('large'), await namesIn('other')]).toEqual([[], ['kept']]);
  });

  it('rests after a pass ten times as long as it took', async () => {
    const clock = new ManualClock(0);
    let passes = 0;
    const slow = withStore((store) => ({
      list: (query, signal) => {
        if (query.selection.namespace === 'held') {
          passes++;
          clock.advance(500);
        }
        return store.list(query, signal);
      },
    }));
    await createNamespace('held');
    await createHeldIn('held', 'a');
    await deleteNamespace('held');
    run('strict', { registry: slow, clock });
    await caughtUp();
    await waitFor(() => passes === 1 && clock.sleepers > 0, { what: 'the first pass' });
    await label(storeOf(registry, 'CronJob'), 'held', 'a', 'changed');
    await caughtUp();
    clock.advance(4_000);
    await caughtUp();
    expect(passes).toBe(1);
    clock.advance(1_000);
    await waitFor(() => passes === 2, { what: 'the second pass' });
  });

  it('deletes once what finalizers hold, and again what a delete in the background can free', async () => {
    const deleted: string[] = [];
    let passes = 0;
    const counting = withStore((store) => ({
      list: (query, signal) => {
        passes++;
        return store.list(query, signal);
      },
      delete: (name, request) => {
        deleted.push(name.name);
        return store.delete(name, request);
      },
    }));
    await createNamespace('held');
    await createHeldIn('held', 'a');
    await createIn('held', 'b');
    await storeOf(registry, 'CronJob').delete({ namespace: 'held', name: 'b' }, { ...plainDelete, propagationPolicy: 'Foreground' });
    await deleteNamespace('held');
    run('strict', { registry: counting });
    await waitFor(async () => (await namesIn('held')).length === 1 && passes > 0, { what: 'the first pass' });
    const before = passes;
    await label(storeOf(registry, 'CronJob'), 'held', 'a', 'changed');
    await waitFor(() => passes > before, { what: 'another pass' });
    expect(deleted.sort()).toEqual(['a', 'b']);
  });

  it('records an Event that names what holds a namespace', async () => {
    await createNamespace('default');
    await createNamespace('held');
    await createHeldIn('held', 'a');
    await deleteNamespace('held');
    run('strict');
    const events = async () => {
      const { page } = await storeOf(registry, 'Event').list({ ...everything, selection: { namespace: 'default' } }, write.signal);
      return Array.from(page.objects, ({ itemBytes }) => JSON.parse(itemBytes.toString()) as unknown);
    };
    await waitFor(async () => (await events()).length > 0, { what: 'the Event' });
    expect((await events())[0]).toMatchObject({
      regarding: { kind: 'Namespace', name: 'held' },
      type: 'Warning',
      reason: 'NamespaceContentRemaining',
      note: 'Waiting for objects to be removed: cronjobs/a: example.com/hold',
    });
  });

  it('leaves the objects of a new namespace alone that has the name of the one it was emptying', async () => {
    const { store: namespaces } = findNamespaces(registry);
    const finalize = ({ object }: CurrentObject) => ({ ...object, spec: { finalizers: [] } });
    let deletes = 0;
    const replaced = Promise.withResolvers<unknown>();
    const replace = async () => {
      await namespaces.update({ namespace: '', name: 'shop' }, 'finalize', { by: 'patch', patch: finalize }, write);
      await createNamespace('shop');
      for (const kind of KINDS_BESIDE) {
        await storeOf(registry, kind).create('shop', sample(kind, { name: 'new' }), write);
      }
      await createIn('shop', 'new');
      await registry.watchCache.isFresh(write.signal);
    };
    const late = withStore((store) => ({
      delete: async (name, request) => {
        const result = await store.delete(name, request);
        if (++deletes > 1) return result;
        replaced.resolve(replace());
        await replaced.promise;
        return result;
      },
    }));
    await createNamespace('shop');
    await createIn('shop', 'old');
    await deleteNamespace('shop');
    run('strict', { registry: late });
    await replaced.promise;
    await caughtUp();
    for (const kind of ['CronJob', ...KINDS_BESIDE]) {
      expect(await readNewest(storeOf(registry, kind), { namespace: 'shop', name: 'new' })).toMatchObject({ metadata: { name: 'new' } });
    }
  });

  it('deletes what can be read, and names what cannot', async () => {
    const { log, lines } = recordingLog();
    const key = objectKey(storeOf(registry, 'CronJob').definition, { namespace: 'damaged', name: 'bad' });
    await createNamespace('damaged');
    await createIn('damaged', 'good');
    await backend.commit({ key, ifRevision: NO_REVISION, value: Buffer.from('{') });
    await deleteNamespace('damaged');
    run('strict', { log });
    const waiting = () => lines.find(({ message }) => message === 'namespace waits for what is left in it');
    await waitFor(() => waiting() !== undefined, { what: 'the first pass' });
    const { cache } = servedNamed(registry, 'CronJob');
    await waitFor(() => cache.size === 0, { what: 'the end of the object that can be read' });
    const failure = expect.stringMatching(/^failed to read one or more cronjobs\S* from the storage: \S+\/damaged\/bad$/);
    expect(waiting()?.fields).toMatchObject({ namespace: 'damaged', failed: [failure] });
    const namespace = await readNewest(findNamespaces(registry).store, { namespace: '', name: 'damaged' });
    expect(JSON.stringify(namespace)).toMatch(/Failed to delete all resource types, 1 remaining: failed to read [^"]*\/damaged\/bad"/);
  });

  it('says once that a namespace is empty which finalizers of others hold', async () => {
    const { log, lines } = recordingLog();
    const { store } = findNamespaces(registry);
    const emptied = () => lines.filter(({ message, fields }) => message === 'namespace emptied' && fields['namespace'] === 'shared').length;
    await createNamespace('shared');
    const patch = ({ object }: CurrentObject) => ({ ...object, spec: { finalizers: ['kubernetes', 'example.com/other'] } });
    await store.update({ namespace: '', name: 'shared' }, 'finalize', { by: 'patch', patch }, write);
    await deleteNamespace('shared');
    run('strict', { log });
    await waitFor(() => emptied() > 0, { what: 'the log line' });
    await label(store, '', 'shared', 'changed');
    await caughtUp();
    expect(emptied()).toBe(1);
    expect(await isGone('shared')).toBe(false);
  });
});
