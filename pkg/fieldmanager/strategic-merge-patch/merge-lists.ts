import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { FieldPath } from '../../apimachinery/status/field-path.ts';
import type { ListField } from './field-rules.ts';
import { elementKeyBy, kindOfElements } from './element-key.ts';
import { mergeObjectLists, type MergeElement, type MergedList } from './merge-object-lists.ts';
import { malformedPatch, inapplicablePatch } from './patch-error.ts';
import { mergePrimitiveLists, deletePrimitives } from './primitive-lists.ts';

export interface ListMerger {
  readonly field: ListField;
  readonly path: FieldPath;
  readonly mergeElement: MergeElement;
}

/** Merges both lists by the rules of the field. Throws StatusError if they cannot be merged. */
export function mergeLists(live: readonly JsonValue[], patched: readonly JsonValue[], merger: ListMerger): MergedList {
  if (!merger.field.merges) return { elements: patched, live };
  return mergeElements(live, patched, merger, (values, others) => {
    if (merger.field.mergeKey !== undefined) throw malformedPatch(merger.path, 'elements must be objects');
    return mergePrimitiveLists(values, others, elementKeyBy(undefined, merger.path));
  });
}

/** `$deleteFromPrimitiveList`, for any strategy of the field. As in Kubernetes, lists of objects are merged instead. */
export function deleteFromList(live: readonly JsonValue[], deleted: readonly JsonValue[], merger: ListMerger): readonly JsonValue[] {
  const valuesLeft = () => deletePrimitives(live, deleted, elementKeyBy(undefined, merger.path));
  return mergeElements(live, deleted, merger, valuesLeft).elements;
}

type MergePrimitives = (live: readonly JsonValue[], patched: readonly JsonValue[]) => readonly JsonValue[];

function mergeElements(
  live: readonly JsonValue[],
  patched: readonly JsonValue[],
  merger: ListMerger,
  mergePrimitives: MergePrimitives,
): MergedList {
  const { field, path, mergeElement } = merger;
  const kind = kindOfElements(path, live, patched);
  if (kind === undefined) return { elements: live, live };
  if (kind !== 'object') return { elements: mergePrimitives(live, patched), live };
  if (field.mergeKey === undefined) throw inapplicablePatch(path, 'its elements have no merge key');
  return mergeObjectLists(live, patched, field.mergeKey, path, mergeElement);
}
