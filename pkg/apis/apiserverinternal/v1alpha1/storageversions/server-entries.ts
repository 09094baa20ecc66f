/**
 * Adds and removes a server's own entry in a status. Pure. Invalid stored entries and conditions are dropped, so that
 * the result is always valid: otherwise no server could report any more.
 */
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Int64 } from '../../../scalars.ts';
import { commonEncodingVersion } from './common-version.ts';
import { validateCondition, validateServerEntry, type Condition, type ServerEntry, type UncheckedStatus } from './rules.ts';

const CONDITION_TYPE = 'AllEncodingVersionsEqual';
const ANY_PATH = FieldPath.of('status');

export interface StatusChange {
  /** RFC 3339, whole seconds. */
  readonly now: string;
  /** From the object's metadata. */
  readonly generation: Int64 | undefined;
}

/** Replaces the entry with the same apiServerID, or appends a new one. */
export function withServerEntry(status: UncheckedStatus | undefined, entry: ServerEntry, change: StatusChange): UncheckedStatus {
  const entries = validEntries(status);
  const known = entries.some(({ apiServerID }) => apiServerID === entry.apiServerID);
  const next = known ? entries.map((each) => (each.apiServerID === entry.apiServerID ? entry : each)) : [...entries, entry];
  return withEntries(status, next, change);
}

export function withoutServer(status: UncheckedStatus | undefined, apiServerID: string, change: StatusChange): UncheckedStatus {
  const left = validEntries(status).filter((entry) => entry.apiServerID !== apiServerID);
  return withEntries(status, left, change);
}

export const hasServer = (status: UncheckedStatus | undefined, apiServerID: string): boolean =>
  status?.storageVersions?.some((entry) => entry.apiServerID === apiServerID) === true;

/** The first valid entry of each server. */
function validEntries(status: UncheckedStatus | undefined): readonly ServerEntry[] {
  const entries = new Map<string, ServerEntry>();
  for (const entry of status?.storageVersions ?? []) {
    const { apiServerID = '' } = entry;
    if (!entries.has(apiServerID) && validateServerEntry(entry, ANY_PATH).length === 0) entries.set(apiServerID, entry);
  }
  return [...entries.values()];
}

function withEntries(status: UncheckedStatus | undefined, storageVersions: readonly ServerEntry[], change: StatusChange): UncheckedStatus {
  const common = commonEncodingVersion(storageVersions);
  const before = status?.commonEncodingVersion;
  // A change from one common version to another is a transition too, although the condition stays true.
  const moved = before !== undefined && common !== undefined && before !== common;
  return {
    storageVersions,
    ...(common === undefined ? {} : { commonEncodingVersion: common }),
    conditions: withCondition(status?.conditions, common !== undefined, moved, change),
  };
}

/** Reason and message are those of Kubernetes' API servers, because its storage migrator reads them. */
function withCondition(conditions: readonly Condition[] = [], equal: boolean, moved: boolean, change: StatusChange): readonly Condition[] {
  const others = new Map<string, Condition>();
  for (const condition of conditions) {
    const { type = '' } = condition;
    if (!others.has(type) && (type === CONDITION_TYPE || validateCondition(condition, ANY_PATH).length === 0)) others.set(type, condition);
  }
  const before = others.get(CONDITION_TYPE);
  const status = equal ? 'True' : 'False';
  const stays = before?.status === status && !moved;
  const set = equal ? 'Set' : 'Unset';
  others.set(CONDITION_TYPE, {
    type: CONDITION_TYPE,
    status,
    ...(change.generation === undefined ? {} : { observedGeneration: change.generation }),
    lastTransitionTime: (stays ? before.lastTransitionTime : undefined) ?? change.now,
    reason: `CommonEncodingVersion${set}`,
    message: `Common encoding version ${set.toLowerCase()}`,
  });
  return [...others.values()];
}
