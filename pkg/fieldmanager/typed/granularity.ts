import type { ArrayShape, MapShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';

/**
 * Whether values of the type have owners for their parts; otherwise whoever sets one owns it whole: scalars, raw JSON, and what the type or the
 * field that holds it (`override`) says is atomic.
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

/** Whether values of the type hold others that have a type. Raw JSON does not. */
export const isContainer = (type: TypeShape): type is ObjectShape | ArrayShape | MapShape =>
  type.shape === 'object' || type.shape === 'array' || type.shape === 'map';
