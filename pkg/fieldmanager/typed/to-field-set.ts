import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { TypeShape } from '../../apis/type-shape.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { pathsBelow } from './paths-below.ts';

/**
 * What somebody owns who says just this: every leaf, every member of a map and every element of a list. A struct is not among them,
 * except where it is empty, null, or has one owner; an empty list is owned by nobody.
 *
 * `value` has passed `validate`. Duplicates in a list are owned by their bare element, whatever is in them.
 */
export const toFieldSet = (shape: TypeShape, value: JsonValue): FieldSet => pathsBelow(shape, value, false);
