/** What this server says of each resource that it stores. */
import type { ServerEntry } from '../../apis/apiserverinternal/v1alpha1/storageversions/rules.ts';
import type { Kind } from '../../apis/kind.ts';

/**
 * By name of the StorageVersion, `<group>.<resource>`. A resource of several versions is stored in the first that is
 * given.
 */
export function ownEntries(kinds: readonly Kind[], apiServerID: string): ReadonlyMap<string, ServerEntry> {
  const versions = new Map<string, string[]>();
  for (const { definition } of kinds) {
    // Kubernetes' name for the group that has none.
    const name = `${definition.group === '' ? 'core' : definition.group}.${definition.resource}`;
    versions.set(name, [...(versions.get(name) ?? []), definition.apiVersion]);
  }
  return new Map(
    [...versions].map(([name, all]) => {
      const [encodingVersion = ''] = all;
      return [name, { apiServerID, encodingVersion, decodableVersions: all, servedVersions: all }];
    }),
  );
}
