import type { TypeShape } from '../../apis/type-shape.ts';
import type { PathElement } from '../fieldpath/path-element.ts';

export interface MemberType {
  readonly type: TypeShape;
  /** The field's own setting, if it overrides that of the type. */
  readonly atomic?: boolean;
  /** True for struct fields, false for map entries and list items. */
  readonly named: boolean;
}

/** The type at one path element. `undefined` if the type has no such element. */
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
