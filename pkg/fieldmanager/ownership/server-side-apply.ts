/** `applyConfiguration`, plus objects without managedFields and the upgrade from client-side apply. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { NO_MANAGED_FIELDS, type ManagedFields } from '../managed-fields/field-owner.ts';
import { applyConfiguration, type Applied, type ApplierInfo } from './apply-configuration.ts';
import { conflictError } from './conflicts.ts';
import { conflictsBeyondLastApplied, LAST_APPLIED_MANAGER, withLastApplied } from './last-applied.ts';
import { recordUpdate, type WriterInfo } from './record-update.ts';
import type { WriteScope } from './write-scope.ts';

/** Documents, without managedFields. */
export interface ApplyInput {
  /** The state before creation. */
  readonly emptyDocument: JsonObject;
  readonly live: JsonObject;
  /** Must have passed `assertConfiguration`. */
  readonly config: JsonObject;
}

/** Throws a StatusError Conflict if there are conflicts and the applier must not resolve them. */
export function serverSideApply(
  scope: WriteScope,
  { emptyDocument, live, config }: ApplyInput,
  owners: ManagedFields,
  applier: ApplierInfo,
): Applied {
  const startingOwners = owners.size === 0 ? ownersBeforeFirstApply(scope, { before: emptyDocument, after: live }, applier) : owners;
  const applied = applyAsLastApplied(scope, { live, config }, startingOwners, applier);
  if (applier.manager !== LAST_APPLIED_MANAGER) return applied;
  return { ...applied, document: withLastApplied(applied.document, config) };
}

function applyAsLastApplied(
  scope: WriteScope,
  change: Omit<ApplyInput, 'emptyDocument'>,
  owners: ManagedFields,
  applier: ApplierInfo,
): Applied {
  const applied = applyConfiguration(scope, change, owners, applier);
  if (!('length' in applied)) return applied;
  const conflicts = applier.manager === LAST_APPLIED_MANAGER ? conflictsBeyondLastApplied(scope, change.live, applied) : applied;
  const forced = conflicts.length > 0 ? conflicts : applyConfiguration(scope, change, owners, { ...applier, force: true });
  if ('length' in forced) throw conflictError(forced);
  return forced;
}

/** Owns the fields of an object that had no managedFields. The name is that of Kubernetes. */
const BEFORE_FIRST_APPLY_MANAGER = 'before-first-apply';

const ownersBeforeFirstApply = (
  scope: WriteScope,
  change: { readonly before: JsonObject; readonly after: JsonObject },
  { subresource, time }: WriterInfo,
): ManagedFields => recordUpdate(scope, change, NO_MANAGED_FIELDS, { manager: BEFORE_FIRST_APPLY_MANAGER, subresource, time });
