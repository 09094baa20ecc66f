/**
 * What the type says of a member that a patch reaches into. A name that no field has in this spelling may be that of a field in other
 * case, as Go's JSON has it. `undefined`: the type has no such member, or none of that form.
 */
import type { FieldShape, TypeShape } from '../../apis/type-shape.ts';

export interface ObjectField {
  readonly type: TypeShape;
  /** A patch takes the place of the value. */
  readonly replaces: boolean;
  /** A created patch says which members stay. */
  readonly retainsKeys: boolean;
}

export interface ListField {
  readonly items: TypeShape;
  /** Elements of the patch join those of the list; otherwise they take their place. */
  readonly merges: boolean;
  /** Absent: elements are known by their value. */
  readonly mergeKey: string | undefined;
  /** Of each element. */
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

/** Go looks through any pointer for a list, and takes what it points at for an element when it is none. */
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

/** Go's folding of names in ASCII, to which the Kelvin sign (k) and the long s belong. */
const folded = (name: string) =>
  name.replace(/[A-Z\u017f\u212a]/g, (letter) => (letter === '\u017f' ? 's' : letter === '\u212a' ? 'k' : letter.toLowerCase()));
