/**
 * The merge rules of a field. Like in Go's JSON decoder, names match exactly or case-insensitively. `undefined` if the
 * type has no such field of that form.
 */
import type { FieldShape, TypeShape } from '../../apis/type-shape.ts';

export interface ObjectField {
  readonly type: TypeShape;
  /** The patch replaces the value. */
  readonly replaces: boolean;
  /** A created patch lists the members to keep. */
  readonly retainsKeys: boolean;
}

export interface ListField {
  readonly items: TypeShape;
  /** Elements of the patch are merged into the list; otherwise they replace it. */
  readonly merges: boolean;
  /** Absent: elements are matched by value. */
  readonly mergeKey: string | undefined;
  /** Applies to each element. */
  readonly retainsKeys: boolean;
}

export function objectField(type: TypeShape, name: string): ObjectField | undefined {
  const field = fieldOf(type, name);
  if (field === undefined) return undefined;
  return { type: field.type, replaces: hasStrategy(field, 'replace'), retainsKeys: hasStrategy(field, 'retainKeys') };
}

export function listField(type: TypeShape, name: string): ListField | undefined {
  const field = fieldOf(type, name);
  const items = field === undefined ? undefined : itemsOf(field);
  if (field === undefined || items === undefined) return undefined;
  return {
    items,
    merges: hasStrategy(field, 'merge'),
    mergeKey: field.patch?.mergeKey,
    retainsKeys: hasStrategy(field, 'retainKeys'),
  };
}

const hasStrategy = ({ patch }: FieldShape, strategy: 'merge' | 'replace' | 'retainKeys') => patch?.strategies.includes(strategy) === true;

/** Go dereferences any pointer to find a list, and uses the pointed-to type as the element if it is not a list. */
function itemsOf({ type, pointer }: FieldShape): TypeShape | undefined {
  if (type.shape === 'array') return type.items.shape === 'array' ? undefined : type.items;
  return pointer || type.shape === 'bytes' ? type : undefined;
}

function fieldOf(type: TypeShape, name: string): FieldShape | undefined {
  if (type.shape !== 'object') return undefined;
  return type.fields.find((field) => field.name === name) ?? foldedField(type.fields, name);
}

function foldedField(fields: readonly FieldShape[], name: string): FieldShape | undefined {
  const wanted = folded(name);
  return fields.find((field) => folded(field.name) === wanted);
}

/** Go's ASCII case folding, which includes the Kelvin sign (k) and the long s. */
const folded = (name: string) =>
  name.replace(/[A-Z\u017f\u212a]/g, (letter) => (letter === '\u017f' ? 's' : letter === '\u212a' ? 'k' : letter.toLowerCase()));
