import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { ListMerge, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { fieldDocumentValue } from './document.ts';
import { listItemToPathElement } from './list-path-element.ts';

/** Why a list item of a decoded object has no path element, by its path; undefined if all have one. */
export type UnidentifiedItemFinder = (object: JsonObject) => string | undefined;

/**
 * Finds items of lists with keys that nothing identifies, which Kubernetes cannot compare. Looks only at lists whose
 * keys may all be empty, such as the secrets of a ServiceAccount; for kinds without one it costs nothing. Elsewhere
 * such items are refused by validation.
 */
export function createUnidentifiedItemFinder(shape: ObjectShape): UnidentifiedItemFinder {
  const lists = shape.fields.flatMap(({ name, type }) => (mayHoldUnidentified(type) ? [{ name, type }] : []));
  return (object) => {
    for (const { name, type } of lists) {
      const list = object[name];
      if (!isArray(list)) continue;
      for (const [at, item] of list.entries()) {
        const result = listItemToPathElement(type.merge, keysInDocument(type, item));
        if ('problem' in result) return `.${name}: element ${at}: ${result.problem}`;
      }
    }
    return undefined;
  };
}

interface KeyedList {
  readonly shape: 'array';
  readonly items: ObjectShape;
  readonly merge: Extract<ListMerge, { readonly type: 'map' }>;
}

function mayHoldUnidentified(type: TypeShape): type is KeyedList {
  if (type.shape !== 'array' || type.items.shape !== 'object' || type.merge?.type !== 'map') return false;
  const { fields } = type.items;
  return type.merge.keys.every((key) => key.default === undefined && fields.find(({ name }) => name === key.name)?.omit === 'empty');
}

/** Empty keys are not in the document. */
function keysInDocument({ items, merge }: KeyedList, item: JsonValue): JsonValue {
  if (!isJsonObject(item)) return item;
  const keys: Record<string, JsonValue | undefined> = {};
  for (const field of items.fields) {
    if (merge.keys.some(({ name }) => name === field.name)) keys[field.name] = fieldDocumentValue(field, item[field.name]);
  }
  return keys;
}
