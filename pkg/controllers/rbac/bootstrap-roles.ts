/**
 * Makes the bootstrap policy at the first start, and adds what is missing of it at every later one. Each server does,
 * since its clients need it at once.
 */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { Log } from '../../observability/logging.ts';
import { objectKey } from '../../registry/keys.ts';
import { FIELD_MANAGER } from '../../registry/own-manager.ts';
import type { RegistryStores, ServedKind } from '../../registry/registry.ts';
import { type BootstrapBinding, createBootstrapPolicy, type BootstrapRole } from './bootstrap-policy.ts';
import { isProtected, reconcileBinding, reconcileRole } from './reconcile.ts';

export interface BootstrapRolesOptions {
  readonly stores: RegistryStores;
  readonly groupSuffix: string;
  /** Nothing is written before it resolves. It may reject or never resolve. */
  readonly after: Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface BootstrapRoles {
  /** Why the server is not ready, in one clause. */
  readonly notReady: string | undefined;
  /** Resolves when they exist; never, when closed before. */
  readonly created: Promise<void>;
  /** Can be called twice. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5000;

/** Starts immediately and does not throw; failures are logged and retried. */
export function openBootstrapRoles({ stores, groupSuffix, after, clock, log }: BootstrapRolesOptions): BootstrapRoles {
  const stop = new AbortController();
  const created = Promise.withResolvers<undefined>();
  const state = { exist: false };
  const isStopped = () => stop.signal.aborted;
  const run = async () => {
    await after;
    for (let failures = 0; !state.exist && !isStopped();) {
      try {
        await ensurePolicy(stores, groupSuffix, stop.signal);
        state.exist = true;
        created.resolve(undefined);
      } catch (error) {
        if (isStopped()) return;
        log.warn('bootstrap roles could not be created, retrying', { error });
        await clock.sleep(Math.min(FIRST_RETRY_MS * 2 ** failures++, MAX_RETRY_MS), stop.signal);
      }
    }
  };
  const running = Promise.race([run().catch(() => undefined), new Promise((resolve) => stop.signal.addEventListener('abort', resolve))]);
  return {
    get notReady() {
      return state.exist ? undefined : 'the bootstrap roles are not created yet';
    },
    created: created.promise,
    async close() {
      stop.abort();
      await running;
    },
  };
}

async function ensurePolicy(stores: RegistryStores, groupSuffix: string, signal: AbortSignal): Promise<void> {
  const policy = createBootstrapPolicy(groupSuffix);
  const served = (resource: string): ServedKind => {
    const found = stores.find(resource, `rbac.authorization.${groupSuffix}`);
    if (found === undefined) throw new Error(`the resource ${resource} is not served`);
    return found;
  };
  const shared = { groupSuffix, signal };
  for (const resource of ['clusterroles', 'roles'] as const)
    await Promise.all(
      policy[resource].map((role) => ensure<BootstrapRole>(role, { ...shared, served: served(resource), reconcile: reconcileRole })),
    );
  for (const resource of ['clusterrolebindings', 'rolebindings'] as const) {
    const options = { ...shared, served: served(resource), reconcile: reconcileBinding, isOther: hasOtherRole };
    await Promise.all(policy[resource].map((binding) => ensure<BootstrapBinding>(binding, options)));
  }
}

const hasOtherRole = (stored: BootstrapBinding, { roleRef }: BootstrapBinding): boolean =>
  stored.roleRef.kind !== roleRef.kind || stored.roleRef.name !== roleRef.name;

interface EnsureOptions<T> {
  readonly served: ServedKind;
  readonly groupSuffix: string;
  readonly signal: AbortSignal;
  readonly reconcile: (stored: T, expected: T) => T | undefined;
  /** Whether the stored object can only be made anew. */
  readonly isOther?: (stored: T, expected: T) => boolean;
}

async function ensure<T extends KubernetesObject>(expected: T, options: EnsureOptions<T>): Promise<void> {
  const { served, groupSuffix, signal, reconcile, isOther } = options;
  const { store, cache, compiled } = served;
  const { name = '', namespace = '' } = expected.metadata;
  const write = { dryRun: false, fieldManager: FIELD_MANAGER, signal };
  const cached = cache.get(objectKey(store.definition, { namespace, name }));
  // The assertion is safe: the cache holds only objects of this kind.
  const stored = cached === undefined ? undefined : (compiled.codec.parseStored(cached.itemBytes) as unknown as T);
  if (stored === undefined) {
    await store.create(namespace, expected, write).catch(ignoreReason('AlreadyExists'));
    return;
  }
  if (isProtected(stored.metadata, groupSuffix)) return;
  if (isOther?.(stored, expected) === true) {
    const preconditions = { uid: stored.metadata.uid ?? '' };
    await store.delete({ namespace, name }, { ...write, preconditions }).catch(ignoreReason('NotFound'));
    await store.create(namespace, expected, write).catch(ignoreReason('AlreadyExists'));
    return;
  }
  if (reconcile(stored, expected) === undefined) return;
  const patch = ({ object }: { readonly object: KubernetesObject }) => reconcile(object as T, expected) ?? object;
  await store.update({ namespace, name }, '', { by: 'patch', patch }, write);
}

const ignoreReason =
  (reason: StatusError['reason']) =>
  (error: unknown): void => {
    if (!(error instanceof StatusError) || error.reason !== reason) throw error;
  };
