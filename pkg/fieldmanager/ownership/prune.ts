/** What goes from an object because nobody applies it any longer. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { withNamedFields } from '../typed/named-fields.ts';
import { removeItems } from '../typed/remove.ts';
import { toFieldSet } from '../typed/to-field-set.ts';

export interface Pruning {
  /** What the applier owned before this apply. */
  readonly before: FieldSet;
  /** What it owns from now on. */
  readonly after: FieldSet;
  /** What all others own. Asked for only when something may have to go. */
  readonly others: () => FieldSet;
}

/**
 * `merged` without the fields, keys of maps and elements of lists that its applier owned before and leaves out now, unless they, or something
 * in them, belong to somebody.
 */
export function prune(shape: ObjectShape, merged: JsonObject, { before, after, others }: Pruning): JsonObject {
  // `after` has every element of a list that it goes through as a member, so nothing that is still applied can fall with what it is in.
  if (before.difference(after).isEmpty) return merged;
  const inMerged = withNamedFields(shape, toFieldSet(shape, merged));
  const wasOwned = withNamedFields(shape, before);
  const isOwned = withNamedFields(shape, others().union(after));
  const remaining = (value: JsonObject): FieldSet => withNamedFields(shape, toFieldSet(shape, value));

  // An element that goes takes with it all that is inside, whoever owns that: first bring back what is owned …
  const withoutBefore = removeItems(shape, merged, wasOwned);
  const withOwned = removeItems(shape, merged, inMerged.difference(remaining(withoutBefore).union(isOwned)));
  // … and then what nobody ever applied, such as the defaults of the server.
  return removeItems(shape, merged, inMerged.difference(remaining(withOwned)).intersection(wasOwned));
}
