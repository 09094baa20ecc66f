/** The storage version entries of this server. */
import type { ServerEntry } from '../../apis/apiserverinternal/v1alpha1/storageversions/rules.ts';
import { groupName } from '../../apis/group-name.ts';
import type { Kind } from '../../apis/kind.ts';

/** By StorageVersion name, `<group>.<resource>`. With several versions, the first is the stored one. */
export function ownEntries(kinds: readonly Kind[], apiServerID: string): ReadonlyMap<string, ServerEntry> {
  const versions = new Map<string, string[]>();
  for (const { definition } of kinds) {
    const name = `${groupName(definition.group)}.${definition.resource}`;
    versions.set(name, [...(versions.get(name) ?? []), definition.apiVersion]);
  }
  return new Map(
    [...versions].map(([name, all]) => {
      const [encodingVersion = ''] = all;
      return [name, { apiServerID, encodingVersion, decodableVersions: all, servedVersions: all }];
    }),
  );
}
