/**
 * Servers over one backend, as far as storage versions go, for tests. They share a clock that stands still until a test
 * moves it.
 */
import { randomBytes } from 'node:crypto';
import type { StorageVersion } from '../../pkg/apis/apiserverinternal/v1alpha1/storageversions/types.gen.ts';
import { type Log, silentLog } from '../../pkg/observability/logging.ts';
import type { Backend, CommitResult, Write } from '../../pkg/storage/backend.ts';
import type { ManualClock } from './manual-clock.ts';
import { KINDS, never, openTestRegistry, parse, servedNamed, storeOf } from './test-registry.ts';
import type { Registry } from '../../pkg/registry/registry.ts';
import { openStorageVersions, type StorageVersions } from '../../pkg/registry/storage-versions/open-storage-versions.ts';
import { StorageVersionObjects } from '../../pkg/registry/storage-versions/storage-version-objects.ts';

export const TIMEOUT_MS = 60_000;
export const STEP_MS = TIMEOUT_MS / 3;
export const NAMES = KINDS.map(({ definition: { group, resource } }) => `${group === '' ? 'core' : group}.${resource}`).sort();

export interface TestServer {
  readonly id: string;
  readonly registry: Registry;
  readonly storageVersions: StorageVersions;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly backend: Backend;
  readonly id: string;
  readonly clock: ManualClock;
  readonly filled?: Promise<unknown>;
  readonly log?: Log;
}

/** Does not wait until it has published. */
export async function startTestServer({ backend, id, clock, filled, log = silentLog }: TestServerOptions): Promise<TestServer> {
  const registry = await openTestRegistry(backend);
  const storageVersions = openStorageVersions({
    backend,
    served: registry.served,
    filled: filled ?? registry.watchCache.filled(),
    id,
    hostName: 'host',
    timeoutMs: TIMEOUT_MS,
    clock,
    monotonicNow: () => clock.now(),
    random: randomBytes,
    log,
  });
  const close = async () => {
    await storageVersions.close();
    await registry.close();
  };
  return { id, registry, storageVersions, close };
}

export const objectsOf = (registry: Registry, clock: ManualClock): StorageVersionObjects =>
  new StorageVersionObjects({ served: servedNamed(registry, 'StorageVersion'), clock });

/** As clients read it. */
export async function readStorageVersion(registry: Registry, name: string): Promise<StorageVersion> {
  const bytes = await storeOf(registry, 'StorageVersion').get({ namespace: '', name }, { at: 'newest' }, never);
  return parse(bytes) as unknown as StorageVersion;
}

/** Which servers have an entry, by StorageVersion. */
export async function serversByName(registry: Registry, clock: ManualClock): Promise<Readonly<Record<string, readonly string[]>>> {
  const all = await objectsOf(registry, clock).list(never);
  return Object.fromEntries(
    all.map(({ name, status }) => [name, (status?.storageVersions ?? []).map(({ apiServerID = '' }) => apiServerID).sort()]),
  );
}

export const everywhere = (...ids: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(NAMES.map((name) => [name, [...ids].sort()]));

/** The same backend, but for its commits. */
export const withCommit = (backend: Backend, commit: (request: Write) => Promise<CommitResult>): Backend => ({
  get: (key, revision) => backend.get(key, revision),
  range: (query) => backend.range(query),
  commit,
  watch: (query) => backend.watch(query),
  currentRevision: () => backend.currentRevision(),
  compact: (upTo) => backend.compact(upTo),
  status: () => backend.status(),
  close: () => backend.close(),
});
