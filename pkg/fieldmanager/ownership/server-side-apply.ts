/** An apply as a whole: what `applyConfiguration` does, for objects that were never applied before, and for kubectl with its past. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { NO_MANAGED_FIELDS, type ManagedFields } from '../managed-fields/field-owner.ts';
import { applyConfiguration, type Applied, type ApplierFacts } from './apply-configuration.ts';
import { conflictError } from './conflicts.ts';
import { conflictsBeyondLastApplied, LAST_APPLIED_MANAGER, withLastApplied } from './last-applied.ts';
import { recordUpdate, type WriterFacts } from './record-update.ts';
import type { TrackedPath } from './tracked-path.ts';

/** Documents, without managedFields. */
export interface Application {
  /** An object of the kind before it is created. */
  readonly nothing: JsonObject;
  readonly live: JsonObject;
  /** Has passed `assertConfiguration`. */
  readonly config: JsonObject;
}

/** Throws a StatusError Conflict when there are conflicts that the applier may not settle. */
export function serverSideApply(
  path: TrackedPath,
  { nothing, live, config }: Application,
  owners: ManagedFields,
  applier: ApplierFacts,
): Applied {
  const known = owners.size === 0 ? ownersOfUntracked(path, { before: nothing, after: live }, applier) : owners;
  const applied = applySettled(path, { live, config }, known, applier);
  if (applier.manager !== LAST_APPLIED_MANAGER) return applied;
  return { ...applied, document: withLastApplied(applied.document, config) };
}

function applySettled(path: TrackedPath, change: Omit<Application, 'nothing'>, owners: ManagedFields, applier: ApplierFacts): Applied {
  const applied = applyConfiguration(path, change, owners, applier);
  if (!('length' in applied)) return applied;
  const conflicts = applier.manager === LAST_APPLIED_MANAGER ? conflictsBeyondLastApplied(path, change.live, applied) : applied;
  const forced = conflicts.length > 0 ? conflicts : applyConfiguration(path, change, owners, { ...applier, force: true });
  if ('length' in forced) throw conflictError(forced);
  return forced;
}

/** Stands for all who wrote to an object before it was tracked. */
const UNTRACKED_MANAGER = 'before-first-apply';

const ownersOfUntracked = (
  path: TrackedPath,
  change: { readonly before: JsonObject; readonly after: JsonObject },
  { subresource, time }: WriterFacts,
): ManagedFields => recordUpdate(path, change, NO_MANAGED_FIELDS, { manager: UNTRACKED_MANAGER, subresource, time });
