import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { TypeShape } from '../../apis/type-shape.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { pathsBelow } from './paths-below.ts';

/**
 * The fields that the manager of a valid configuration owns: every leaf, map entry and list item. Structs are included
 * only if they are empty, null or atomic; empty lists are not. Nothing below duplicate list items is owned.
 */
export const toFieldSet = (shape: TypeShape, value: JsonValue): FieldSet => pathsBelow(shape, value, false);
