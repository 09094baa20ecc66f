/** Prunes fields that are no longer applied. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { ensureNamedFieldsAreMembers } from '../typed/ensure-named-fields.ts';
import { removeItems } from '../typed/remove.ts';
import { toFieldSet } from '../typed/paths-below.ts';

export interface Pruning {
  /** The fields that the applier owned before this apply. */
  readonly before: FieldSet;
  /** The fields that it owns after it. */
  readonly after: FieldSet;
  /** The fields of all other owners. Only called if there is something to prune. */
  readonly others: () => FieldSet;
}

/** `merged` without what the applier owned before and now omits, unless it has another owner. */
export function prune(shape: ObjectShape, merged: JsonObject, { before, after, others }: Pruning): JsonObject {
  // `after` contains all list items on the path to an applied field, so applied fields are not pruned.
  if (before.difference(after).isEmpty) return merged;
  const inMerged = ensureNamedFieldsAreMembers(shape, toFieldSet(shape, merged));
  const wasOwned = ensureNamedFieldsAreMembers(shape, before);
  const isOwned = ensureNamedFieldsAreMembers(shape, others().union(after));
  const remaining = (value: JsonObject): FieldSet => ensureNamedFieldsAreMembers(shape, toFieldSet(shape, value));

  // Removing a list item removes everything in it, whatever its owner. So restore owned fields …
  const withoutBefore = removeItems(shape, merged, wasOwned);
  const withOwned = removeItems(shape, merged, inMerged.difference(remaining(withoutBefore).union(isOwned)));
  // … and then remove fields that were not applied, such as defaults set by the server.
  return removeItems(shape, merged, inMerged.difference(remaining(withOwned)).intersection(wasOwned));
}
