/** Changes a store behind the back of its server, which is stopped meanwhile. */
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import type { Backend } from '../../pkg/storage/backend.ts';
import { openEmbeddedBackend } from '../../pkg/storage/embedded/open-embedded-backend.ts';
import { openTestBackend } from './etcd-backend.ts';
import type { Suite } from './stores.ts';
import type { TestStore } from './test-store.ts';

export async function changeStopped(api: Suite, change: (backend: Backend) => Promise<void>): Promise<void> {
  api.server().signal('SIGTERM');
  await api.server().ended;
  const backend = await openBackend(api.store);
  try {
    await change(backend);
  } finally {
    await backend.close();
  }
  await api.revive();
}

async function openBackend({ backend, flags, endpoints }: TestStore): Promise<Backend> {
  const valueOf = (flag: string) => flags[flags.indexOf(flag) + 1] ?? '';
  if (backend === 'embedded') return openEmbeddedBackend({ dir: valueOf('--data-dir'), clock: systemClock });
  return (await openTestBackend({ servers: endpoints, prefix: valueOf('--etcd-prefix') })).backend;
}
