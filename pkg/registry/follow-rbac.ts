/** Keeps an RBAC policy up to date with the watch caches of its four kinds. */
import type { RbacPolicy, RbacScope, StoredBinding, StoredRole } from '../authorization/rbac/rbac-policy.ts';
import type { CachedObject } from '../watchcache/watch-cache.ts';
import type { RegistryStores, ServedKind } from './registry.ts';

export interface FollowedRbac {
  /** False until all four caches were filled for the first time. */
  readonly isComplete: boolean;
}

interface Part {
  readonly resource: string;
  readonly clear: () => void;
  readonly set: (object: never) => void;
  readonly remove: (namespace: string, name: string) => void;
}

/** Must be called before the caches are filled. Throws if one of the kinds is not served. */
export function followRbac(stores: RegistryStores, policy: RbacPolicy, groupSuffix: string): FollowedRbac {
  const roles = (resource: string, scope: RbacScope): Part => ({
    resource,
    clear: () => policy.clearRoles(scope),
    set: (role: StoredRole) => policy.setRole(role),
    remove: (namespace, name) => policy.removeRole(namespace, name),
  });
  const bindings = (resource: string, scope: RbacScope): Part => ({
    resource,
    clear: () => policy.clearBindings(scope),
    set: (binding: StoredBinding) => policy.setBinding(binding),
    remove: (namespace, name) => policy.removeBinding(namespace, name),
  });
  const missing = new Set<Part>([
    roles('clusterroles', 'cluster'),
    roles('roles', 'namespaced'),
    bindings('clusterrolebindings', 'cluster'),
    bindings('rolebindings', 'namespaced'),
  ]);
  for (const part of [...missing]) {
    const served = stores.find(part.resource, `rbac.authorization.${groupSuffix}`);
    if (served === undefined) throw new Error(`the resource ${part.resource} is not served`);
    followPart(served, part, () => missing.delete(part));
  }
  return {
    get isComplete() {
      return missing.size === 0;
    },
  };
}

function followPart({ cache, compiled }: ServedKind, part: Part, filled: () => void): void {
  const set = ({ itemBytes }: CachedObject) => {
    // The assertion is safe: the cache holds only objects of this kind.
    part.set(compiled.codec.parseStored(itemBytes) as never);
  };
  cache.subscribe({
    changed: ({ current, previous }) => {
      if (current !== undefined) set(current);
      // Gone, or not readable any more: neither grants anything.
      else if (previous !== undefined) part.remove(previous.namespace, previous.name);
    },
    replaced: () => {
      part.clear();
      for (const object of cache.snapshot().page({ selection: {} }).objects) set(object);
      filled();
    },
  });
}
