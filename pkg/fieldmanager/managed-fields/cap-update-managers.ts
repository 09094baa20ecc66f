/** Limits the number of update managers per object, as `capmanagers.go` in Kubernetes. */
import { compareByBytes } from '../../apimachinery/json/write-json.ts';
import { compareTimes } from './encode-managed-fields.ts';
import { FieldOwner, type ManagedFields, managerIdentifier } from './field-owner.ts';

/** The manager that collects the fields of the oldest ones. */
const OLD_UPDATES_MANAGER = 'ancient-changes';
const MAX_UPDATE_MANAGERS = 10;

/** Merges the oldest Update owners of each version until at most ten remain, except the only owner of a version. */
export function capUpdateManagers(managedFields: ManagedFields): ManagedFields {
  const updates = [...managedFields].filter(([, { operation }]) => operation === 'Update');
  if (updates.length <= MAX_UPDATE_MANAGERS) return managedFields;
  updates.sort(
    ([identifier, owner], [otherIdentifier, other]) => compareTimes(owner, other) || compareByBytes(identifier, otherIdentifier),
  );
  const owners = new Map(managedFields);
  const oldestOf = new Map<string, string>();
  for (const [identifier, { apiVersion }] of updates) {
    const oldest = oldestOf.get(apiVersion);
    if (oldest === undefined) oldestOf.set(apiVersion, identifier);
    else mergeIntoOldUpdates(owners, apiVersion, oldest, identifier);
    if (owners.size === managedFields.size - (updates.length - MAX_UPDATE_MANAGERS)) break;
  }
  return owners;
}

/** Merges the fields of `identifier` into the `ancient-changes` owner of its version, by default `oldest`. */
function mergeIntoOldUpdates(owners: Map<string, FieldOwner>, apiVersion: string, oldest: string, identifier: string): void {
  const info = { manager: OLD_UPDATES_MANAGER, operation: 'Update', apiVersion, subresource: '' } as const;
  const oldUpdates = managerIdentifier(info);
  // If `ancient-changes` itself is reached in this order, `oldest` is merged into it instead.
  const [into, from] = identifier === oldUpdates || !owners.has(oldUpdates) ? [identifier, oldest] : [oldUpdates, identifier];
  const [target, source, time] = [owners.get(into), owners.get(from), owners.get(identifier)?.time];
  if (target === undefined || source === undefined) return;
  owners.delete(into);
  owners.delete(from);
  owners.set(oldUpdates, new FieldOwner({ ...info, time }, target.set.union(source.set)));
}
