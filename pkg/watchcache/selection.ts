import { type ShardSelector, shardSelectorText } from '../apimachinery/selectors/shard-selector.ts';
import { type FieldSelector, type ParsedLabelSelector, fieldSelectorText, labelSelectorText } from '../apimachinery/selectors/selector.ts';
import type { CachedObject, ObjectAttributes, Selection } from './watch-cache.ts';

/** A compiled selection. */
export interface Matcher {
  /** Equal for equal selections with the same spelling. */
  readonly id: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly labels: ParsedLabelSelector | undefined;
  readonly fields: FieldSelector | undefined;
  readonly shard: ShardSelector | undefined;
  /** Whether labels, fields other than name and namespace, or a shard are tested. */
  readonly looksInside: boolean;
  matches(object: SelectableObject): boolean;
}

export type SelectableObject = Pick<CachedObject, 'namespace' | 'name' | keyof ObjectAttributes>;

const ownValue = (values: Readonly<Record<string, string>> | undefined, key: string): string =>
  values !== undefined && Object.hasOwn(values, key) ? (values[key] ?? '') : '';

/** The value for a field selector; "" for an unknown field. */
export function fieldOf(object: SelectableObject, field: string): string {
  switch (field) {
    case 'metadata.name':
      return object.name;
    case 'metadata.namespace':
      return object.namespace;
    default:
      return ownValue(object.fields, field);
  }
}

/** Undefined if the object has no such label. */
export const labelOf = (object: CachedObject, key: string): string | undefined =>
  object.labels !== undefined && Object.hasOwn(object.labels, key) ? object.labels[key] : undefined;

/** Whether every selection contains either both states of an object or none. */
export const matchSameSelections = (before: CachedObject | undefined, after: CachedObject | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  before.uid === after.uid &&
  haveSameValues(before.labels, after.labels) &&
  haveSameValues(before.fields, after.fields);

type Values = Readonly<Record<string, string>> | undefined;

function haveSameValues(before: Values, after: Values): boolean {
  const names = Object.keys(before ?? {});
  return (
    names.length === Object.keys(after ?? {}).length &&
    names.every((name) => ownValue(before, name) === ownValue(after, name) && Object.hasOwn(after ?? {}, name))
  );
}

function requiredField(fields: FieldSelector | undefined, field: string): string | undefined {
  return fields?.requirements.find((r) => r.field === field && r.operator === '=')?.value;
}

export function toMatcher(selection: Selection): Matcher {
  const { shard } = selection;
  const labels = isEmpty(selection.labels) ? undefined : selection.labels;
  const fields = isEmpty(selection.fields) ? undefined : selection.fields;
  const namespace = selection.namespace ?? requiredField(fields, 'metadata.namespace');
  const name = selection.name ?? requiredField(fields, 'metadata.name');
  // Name and namespace are tested below. The field selector is still needed if it has other or conflicting terms.
  const inside = fields?.requirements.every(
    (r) =>
      r.operator === '=' &&
      ((r.field === 'metadata.name' && r.value === name) || (r.field === 'metadata.namespace' && r.value === namespace)),
  )
    ? undefined
    : fields;
  return {
    id: selectionId(namespace, name, labels, inside, shard),
    namespace,
    name,
    labels,
    fields: inside,
    shard,
    looksInside: labels !== undefined || inside !== undefined || shard !== undefined,
    matches: (object) =>
      (namespace === undefined || object.namespace === namespace) &&
      (name === undefined || object.name === name) &&
      (labels === undefined || labels.matches(object.labels)) &&
      (inside === undefined || inside.matches((field) => fieldOf(object, field))) &&
      (shard === undefined || shard.matches(object)),
  };
}

const selectionId = (
  namespace: string | undefined,
  name: string | undefined,
  labels: ParsedLabelSelector | undefined,
  fields: FieldSelector | undefined,
  shard: ShardSelector | undefined,
) =>
  JSON.stringify([
    namespace ?? null,
    name ?? null,
    labels === undefined ? null : [labelSelectorText(labels), labels.selectsNothing === true],
    fields === undefined ? null : fieldSelectorText(fields),
    shard === undefined ? null : shardSelectorText(shard),
  ]);

const isEmpty = (selector: ParsedLabelSelector | FieldSelector | undefined): boolean =>
  selector === undefined || (selector.requirements.length === 0 && !('selectsNothing' in selector && selector.selectsNothing));
