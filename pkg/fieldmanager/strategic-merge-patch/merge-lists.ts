import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { FieldPath } from '../../apimachinery/status/field-path.ts';
import type { ListField } from './field-rules.ts';
import { identifyBy, kindOfElements } from './identity.ts';
import { mergeObjectLists, type MergeElement, type MergedList } from './merge-object-lists.ts';
import { malformedPatch, unfitPatch } from './patch-error.ts';
import { mergeValueLists, withoutValues } from './value-lists.ts';

export interface ListMerger {
  readonly field: ListField;
  readonly path: FieldPath;
  readonly mergeElement: MergeElement;
}

/** What the field's rules make of both lists. Throws StatusError when they do not go together. */
export function mergeLists(live: readonly JsonValue[], patched: readonly JsonValue[], merger: ListMerger): MergedList {
  if (!merger.field.merges) return { elements: patched, live };
  return mergeElements(live, patched, merger, (values, others) => {
    if (merger.field.mergeKey !== undefined) throw malformedPatch(merger.path, 'elements must be objects');
    return mergeValueLists(values, others, identifyBy(undefined, merger.path));
  });
}

/** `$deleteFromPrimitiveList`, whatever the field's strategy. A list of objects is merged instead, as Kubernetes does. */
export function deleteFromList(live: readonly JsonValue[], deleted: readonly JsonValue[], merger: ListMerger): readonly JsonValue[] {
  const valuesLeft = () => withoutValues(live, deleted, identifyBy(undefined, merger.path));
  return mergeElements(live, deleted, merger, valuesLeft).elements;
}

type OfValues = (live: readonly JsonValue[], patched: readonly JsonValue[]) => readonly JsonValue[];

function mergeElements(live: readonly JsonValue[], patched: readonly JsonValue[], merger: ListMerger, ofValues: OfValues): MergedList {
  const { field, path, mergeElement } = merger;
  const kind = kindOfElements(path, live, patched);
  if (kind === undefined) return { elements: live, live };
  if (kind !== 'object') return { elements: ofValues(live, patched), live };
  if (field.mergeKey === undefined) throw unfitPatch(path, 'its elements have no merge key');
  return mergeObjectLists(live, patched, field.mergeKey, path, mergeElement);
}
