import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryBackend } from '../../test/registry/memory-backend.ts';
import { everything, namesOf, never, openTestRegistry, sample, write } from '../../test/registry/test-registry.ts';
import { systemClock } from '../apimachinery/time/clock.ts';
import { silentLog } from '../observability/logging.ts';
import { createNamespaces, findNamespaces } from '../registry/namespaces.ts';
import type { Registry } from '../registry/registry.ts';
import { createEventRecorder } from './event-recorder.ts';

describe('The event recorder', () => {
  let registry: Registry;
  beforeEach(async () => {
    registry = await openTestRegistry(new MemoryBackend());
    for (const name of ['here', 'default']) await findNamespaces(registry).store.create('', sample('Namespace', { name }), write);
    await registry.watchCache.isFresh();
  });
  afterEach(() => registry.close());

  it.each([
    ['here', 'here'],
    ['', 'default'],
    ['nowhere', undefined],
  ])('writes an Event about an object in the namespace "%s" in %s', async (namespace, expected) => {
    const events = registry.find('events', '')?.store;
    if (events === undefined) throw new Error('Events of core/v1 are not served');
    const shared = { clock: systemClock, random: randomBytes, log: silentLog, namespaces: createNamespaces(registry) };
    const record = createEventRecorder({ ...shared, events, component: 'test' });
    const subject = { apiVersion: 'batch/v1', kind: 'Job', namespace, name: 'subject', uid: 'u' };
    await record(subject, { type: 'Normal', reason: 'Tested', message: 'done' }, never);
    const names = await namesOf(await events.list({ ...everything, selection: { namespace: expected ?? namespace } }, never));
    expect(names).toEqual(expected === undefined ? [] : [expect.stringMatching(/^subject\.[0-9a-f]{16}$/)]);
  });
});
