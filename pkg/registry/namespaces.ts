/** The Namespaces in the store, for admission and for the server's own work. */
import type { Namespaces } from '../admission/namespace-lifecycle/namespace-lifecycle.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
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
    async phase(name, signal) {
      try {
        const { json } = await find().store.get({ namespace: '', name }, { at: 'newest' }, signal);
        return phaseOf(JSON.parse(Buffer.concat(json).toString('utf8')) as StoredNamespace);
      } catch (error) {
        if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
        throw error;
      }
    },
    async create(name, signal) {
      const { store } = find();
      const { kind, apiVersion } = store.definition;
      const namespace: KubernetesObject = { kind, apiVersion, metadata: { name } };
      try {
        await store.create('', namespace, { dryRun: false, fieldManager: FIELD_MANAGER, signal });
      } catch (error) {
        if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
      }
    },
  };
}

interface StoredNamespace {
  readonly status?: { readonly phase?: string };
}

const phaseOf = ({ status }: StoredNamespace): string => status?.phase ?? '';
