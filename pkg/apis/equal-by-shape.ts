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
 * Whether two decoded values would be the same object in Go: absent, null, the zero value and empty lists and maps are one and the
 * same unless the field is a pointer, order of keys does not count, quantities are compared by their amounts, raw JSON by its bytes. Times
 * are compared as text, so both sides must be in canonical form.
 */
export function equalByShape(shape: TypeShape, left: Value, right: Value): boolean {
  if (left === right) return true;
  switch (shape.shape) {
    case 'object':
      return equalObjects(shape, objectOf(left), objectOf(right));
    case 'array': {
      const [a, b] = [arrayOf(left), arrayOf(right)];
      return a.length === b.length && a.every((item, index) => equalByShape(shape.items, item, b[index]));
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
  return shape.fields.every(({ name, type, pointer }) => {
    const [a, b] = [left[name] ?? undefined, right[name] ?? undefined];
    if (pointer && (a === undefined) !== (b === undefined)) return false;
    return equalByShape(type, a, b);
  });
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
  // Without a shape, such as fieldsV1.
  if (isJsonObject(left) && isJsonObject(right)) return equalJson(left, right);
  return left === right || (isZero(left) && isZero(right));
}
