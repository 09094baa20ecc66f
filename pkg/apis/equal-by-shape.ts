import { equalJson } from '../apimachinery/json/equal-json.ts';
import { RawJson } from '../apimachinery/json/raw-json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../apimachinery/json/write-json.ts';
import { compareQuantityTexts } from '../apimachinery/quantity/quantity-texts.ts';
import type { ObjectShape, TypeShape } from './type-shape.ts';

type Value = JsonValue | undefined;

const objectOf = (value: Value): JsonObject => (isJsonObject(value) ? value : {});
const amountOf = (value: Value): string => (typeof value === 'string' ? value : '0');
const arrayOf = (value: Value): readonly JsonValue[] => (isArray(value) ? value : []);

/**
 * Whether two decoded values would be equal in Go: absent, null, the zero value and empty lists and maps are equal
 * unless the field is a pointer. Ignores the order of keys. Compares quantities by amount, raw JSON by bytes, and times
 * as text, so both sides must be canonical.
 */
export function equalByShape(shape: TypeShape, left: Value, right: Value): boolean {
  if (left === right) return true;
  switch (shape.shape) {
    case 'object':
      return equalObjects(shape, objectOf(left), objectOf(right));
    case 'array': {
      return equalLists(shape.items, arrayOf(left), arrayOf(right));
    }
    case 'map':
      return equalMaps(shape.values, objectOf(left), objectOf(right));
    case 'quantity':
      return compareQuantityTexts(amountOf(left), amountOf(right)) === 0;
    default:
      return equalScalars(left, right);
  }
}

function equalObjects(shape: ObjectShape, left: JsonObject, right: JsonObject): boolean {
  for (const { name, type, pointer } of shape.fields) {
    const a = left[name] ?? undefined;
    const b = right[name] ?? undefined;
    if (a === b) continue;
    if ((pointer && (a === undefined || b === undefined)) || !equalByShape(type, a, b)) return false;
  }
  return true;
}

function equalLists(items: TypeShape, left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (!equalByShape(items, left[at], right[at])) return false;
  return true;
}

function equalMaps(values: TypeShape, left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalByShape(values, left[key], right[key]))
  );
}

const isZero = (value: Value): boolean => value === undefined || value === null || value === '' || value === 0 || value === false;

function equalScalars(left: Value, right: Value): boolean {
  if (left instanceof RawJson && right instanceof RawJson) return left.equals(right);
  // JSON without a shape, such as fieldsV1.
  if (isJsonObject(left) && isJsonObject(right)) return equalJson(left, right);
  return left === right || (isZero(left) && isZero(right));
}
