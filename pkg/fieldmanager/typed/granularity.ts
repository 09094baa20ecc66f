import type { ArrayShape, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';

/**
 * Whether the parts of a value have their own owners. Scalars, raw JSON, and types that are atomic, possibly by
 * `override` of their field, have one owner for the whole value.
 */
export function isGranular(type: TypeShape, override?: boolean): boolean {
  switch (type.shape) {
    case 'object':
    case 'map':
      return !(override ?? type.atomic ?? false);
    case 'array':
      return type.merge !== undefined;
    default:
      return false;
  }
}

/** Whether values of the type contain typed values. Raw JSON does not. */
export const isContainer = (type: TypeShape): type is ObjectShape | ArrayShape | MapShape =>
  type.shape === 'object' || type.shape === 'array' || type.shape === 'map';
