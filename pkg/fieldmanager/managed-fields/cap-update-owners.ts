/** Writers come and go under many names; so that an object does not grow with them, only so many are remembered by name. */
import { compareByBytes } from '../../apimachinery/json/write-json.ts';
import { compareTimes } from './encode-managed-fields.ts';
import { FieldOwner, type ManagedFields, ownerIdentity } from './field-owner.ts';

/** The manager that stands for all who are forgotten. */
const FORGOTTEN_MANAGER = 'ancient-changes';
const MAX_UPDATE_OWNERS = 10;

/**
 * Merges the oldest owners by Update into one per version until there are no more than ten. An owner that is alone in its version stays as it
 * is, so more than ten may be left.
 */
export function capUpdateOwners(managedFields: ManagedFields): ManagedFields {
  const updates = [...managedFields].filter(([, { operation }]) => operation === 'Update');
  if (updates.length <= MAX_UPDATE_OWNERS) return managedFields;
  updates.sort(([identity, owner], [otherIdentity, other]) => compareTimes(owner, other) || compareByBytes(identity, otherIdentity));
  const owners = new Map(managedFields);
  const oldestOf = new Map<string, string>();
  for (const [identity, { apiVersion }] of updates) {
    const oldest = oldestOf.get(apiVersion);
    if (oldest === undefined) oldestOf.set(apiVersion, identity);
    else forget(owners, apiVersion, oldest, identity);
    if (owners.size === managedFields.size - (updates.length - MAX_UPDATE_OWNERS)) break;
  }
  return owners;
}

/** Changes `owners`: takes the owner `identity` out and gives its fields to the forgotten ones of its version, founded by `oldest` if need be. */
function forget(owners: Map<string, FieldOwner>, apiVersion: string, oldest: string, identity: string): void {
  const facts = { manager: FORGOTTEN_MANAGER, operation: 'Update', apiVersion, subresource: '' } as const;
  const forgotten = ownerIdentity(facts);
  // Its turn comes among the others' when it is as young as they are; then the oldest goes instead.
  const [into, from] = identity === forgotten || !owners.has(forgotten) ? [identity, oldest] : [forgotten, identity];
  const [kept, gone, time] = [owners.get(into), owners.get(from), owners.get(identity)?.time];
  if (kept === undefined || gone === undefined) return;
  owners.delete(into);
  owners.delete(from);
  owners.set(forgotten, new FieldOwner({ ...facts, time }, kept.set.union(gone.set)));
}
