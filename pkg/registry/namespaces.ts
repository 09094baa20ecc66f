/** The Namespaces in the store, for admission and for the server's own work. */
import type { Namespaces } from '../admission/namespace-lifecycle/namespace-lifecycle.ts';
import { isStatusError } from '../apimachinery/status/status-error.ts';
import type { KubernetesObject } from '../apis/kind.ts';
import { objectKey } from './keys.ts';
import { FIELD_MANAGER } from './own-manager.ts';
import type { RegistryStores, ServedKind } from './registry.ts';

/** Throws if the kind is not served. */
export function findNamespaces(stores: RegistryStores): ServedKind {
  const found = stores.find('namespaces', '');
  if (found === undefined) throw new Error('the kind Namespace is not served');
  return found;
}

export function createNamespaces(stores: RegistryStores): Namespaces {
  const find = () => findNamespaces(stores);
  return {
    cachedPhase(name) {
      const { store, cache } = find();
      return cache.get(objectKey(store.definition, { namespace: '', name }))?.fields?.['status.phase'];
    },
    phase: async (name, signal) => (await readNamespace(stores, name, signal))?.phase,
    async create(name, signal) {
      const { store } = find();
      const { kind, apiVersion } = store.definition;
      const namespace: KubernetesObject = { kind, apiVersion, metadata: { name } };
      try {
        await store.create('', namespace, { dryRun: false, fieldManager: FIELD_MANAGER, signal });
      } catch (error) {
        if (!isStatusError(error, 'AlreadyExists')) throw error;
      }
    },
  };
}

export interface NamespaceState {
  readonly uid: string;
  readonly phase: string;
}

/** As it is now. Undefined: there is none. */
export async function readNamespace(stores: RegistryStores, name: string, signal: AbortSignal): Promise<NamespaceState | undefined> {
  try {
    const { json } = await findNamespaces(stores).store.get({ namespace: '', name }, { at: 'newest' }, signal);
    const { metadata, status } = JSON.parse(Buffer.concat(json).toString('utf8')) as StoredNamespace;
    return { uid: metadata.uid ?? '', phase: status?.phase ?? '' };
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

type StoredNamespace = Pick<KubernetesObject, 'metadata'> & { readonly status?: { readonly phase?: string } };
