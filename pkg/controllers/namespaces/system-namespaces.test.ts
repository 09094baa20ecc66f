import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { SYSTEM_NAMESPACES } from '../../apis/core/v1/namespaces/names.ts';
import { type Log, type LogFields, silentLog } from '../../observability/logging.ts';
import { objectKey } from '../../registry/keys.ts';
import { createNamespaces, findNamespaces } from '../../registry/namespaces.ts';
import type { Registry } from '../../registry/registry.ts';
import { NO_REVISION } from '../../storage/backend.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { everything, openTestRegistry, sample, servedNamed, storeOf, write } from '../../../test/registry/test-registry.ts';
import { deadline } from '../../../test/support/wait.ts';
import { openSystemNamespaces } from './system-namespaces.ts';

/** The store was written before there were Namespaces. */
describe('the system namespaces', () => {
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
  const createdNamespaces = async (log: Log = silentLog) => {
    const system = openSystemNamespaces({
      namespaces: createNamespaces(registry),
      contents: [servedNamed(registry, 'CronJob').cache],
      after: Promise.resolve(),
      clock: systemClock,
      log,
    });
    try {
      await deadline(system.created, 5_000, 'the system namespaces');
    } finally {
      await system.close();
    }
    const { page } = await findNamespaces(registry).store.list(everything, write.signal);
    return Array.from(page.objects, ({ name }) => name);
  };
  const createNamespace = (name: string) => findNamespaces(registry).store.create('', sample('Namespace', { name }), write);
  const createIn = (namespace: string) => storeOf(registry, 'CronJob').create(namespace, sample('CronJob', { name: 'a' }), write);

  it('come with those in use, and end the work of a start that was cut off', async () => {
    await createIn('first');
    await createIn('second');
    await createNamespace('first');
    await createNamespace('kube-system');
    await registry.watchCache.isFresh(write.signal);
    expect(await createdNamespaces()).toEqual([...SYSTEM_NAMESPACES, 'first', 'second'].sort());
  });

  it('come alone once they existed', async () => {
    await createNamespace('default');
    await createIn('without');
    await registry.watchCache.isFresh(write.signal);
    expect(await createdNamespaces()).toEqual([...SYSTEM_NAMESPACES].sort());
  });

  it('come although a name in use is not valid', async () => {
    const lines: Record<string, LogFields> = {};
    const record = (message: string, fields: LogFields = {}) => {
      lines[message] = fields;
    };
    await createIn('valid');
    const { definition } = storeOf(registry, 'CronJob');
    const { record: stored } = await backend.get(objectKey(definition, { namespace: 'valid', name: 'a' }));
    const value = Buffer.from((stored?.value ?? Buffer.alloc(0)).toString('latin1').replace('"valid"', '"Not_Valid"'), 'latin1');
    await backend.commit({ key: objectKey(definition, { namespace: 'Not_Valid', name: 'a' }), ifRevision: NO_REVISION, value });
    await registry.watchCache.isFresh(write.signal);
    expect(await createdNamespaces({ ...silentLog, info: record, warn: record })).toEqual([...SYSTEM_NAMESPACES, 'valid'].sort());
    expect(lines).toEqual({
      'namespaces created for stored objects': { count: 1, names: ['valid'] },
      'stored objects are in namespaces whose names are not valid': { count: 1, names: ['Not_Valid'] },
    });
  });
});
