import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { TypeShape } from '../../apis/type-shape.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { pathsBelow } from './paths-below.ts';

/**
 * The fields that the manager of this configuration owns: every leaf, map entry and list item. Structs are not included
 * unless they are empty, null or atomic; an empty list is owned by nobody.
 *
 * `value` must have passed `validate`. Of duplicate list items only the item itself is owned.
 */
export const toFieldSet = (shape: TypeShape, value: JsonValue): FieldSet => pathsBelow(shape, value, false);
