import type { TypeShape } from '../../apis/type-shape.ts';
import type { PathElement } from '../fields/path-element.ts';

export interface MemberType {
  readonly type: TypeShape;
  /** What the field says of it, where it says something else than the type. */
  readonly atomic?: boolean;
  /** A field of a struct, as opposed to a member of a map or an element of a list. */
  readonly named: boolean;
}

/** What is behind one step of a path. `undefined`: the type has no such step. */
export function memberType(type: TypeShape, element: PathElement): MemberType | undefined {
  switch (type.shape) {
    case 'object': {
      if (!isField(element)) return undefined;
      const name = element.slice(2);
      const field = type.fields.find((each) => each.name === name);
      if (field === undefined) return undefined;
      return { type: field.type, named: true, ...(field.atomic !== undefined && { atomic: field.atomic }) };
    }
    case 'map':
      return { type: type.values, named: false };
    case 'array':
      return { type: type.items, named: false };
    default:
      return undefined;
  }
}

export const isField = (element: PathElement): boolean => element.startsWith('f:');
