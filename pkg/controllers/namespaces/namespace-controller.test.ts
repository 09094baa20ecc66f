import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NamespaceLifecycleMode } from '../../admission/namespace-lifecycle/namespace-lifecycle.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import { createNamespaces, findNamespaces } from '../../registry/namespaces.ts';
import type { Registry } from '../../registry/registry.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { everything, openTestRegistry, plainDelete, sample, storeOf, write } from '../../../test/registry/test-registry.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { createNamespaceController } from './namespace-controller.ts';

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
  const run = (mode: NamespaceLifecycleMode) => {
    const namespaces = createNamespaces(registry);
    const options = { mode, namespaces, registry, clock: systemClock, log: silentLog };
    registry.lead('namespaces', createNamespaceController(options));
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
});
