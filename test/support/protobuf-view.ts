import type { JsonObject, JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../pkg/apimachinery/json/write-json.ts';
import type { FieldShape, ObjectShape, TypeShape } from '../../pkg/apis/type-shape.ts';

/**
 * What is left of a document (`toDocument`) in protobuf: kind and apiVersion are in the envelope if anywhere, and a
 * list or map without elements is as absent as one that is not there. `null` is left out, as in what is decoded.
 */
export function protobufView(shape: ObjectShape, document: JsonObject): JsonObject {
  const view: Record<string, JsonValue> = {};
  for (const field of shape.fields) {
    const value = document[field.name];
    if (field.wire === undefined || value === undefined || value === null || isNothing(field, value)) continue;
    view[field.name] = viewOf(field.type, value);
  }
  return view;
}

const isNothing = ({ type }: FieldShape, value: JsonValue): boolean =>
  (type.shape === 'array' && type.wrapped === undefined && isArray(value) && value.length === 0) ||
  (type.shape === 'map' && isJsonObject(value) && Object.keys(value).length === 0);

function viewOf(type: TypeShape, value: JsonValue): JsonValue {
  if (type.shape === 'object' && isJsonObject(value)) return protobufView(type, value);
  if (type.shape === 'array' && isArray(value)) return value.map((element) => viewOf(type.items, element));
  if (type.shape === 'map' && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, viewOf(type.values, each ?? null)]));
  }
  return value;
}
