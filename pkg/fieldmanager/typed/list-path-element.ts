import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import type { ListKey, ListMerge } from '../../apis/type-shape.ts';
import { type KeyField, type PathElement, keyElement, valueElement } from '../fieldpath/path-element.ts';

/** The path element of a list item, or why it has none. */
export type ListPathElement = { readonly element: PathElement } | { readonly problem: string };

/**
 * Identifies a set item by its value, an item of a list of type `map` by its key fields. An absent key has its default
 * or is omitted, but at least one key is required. Null is a valid key.
 */
export function listItemToPathElement(merge: ListMerge, value: JsonValue): ListPathElement {
  return merge.type === 'set' ? setItemToPathElement(value) : keyedItemToPathElement(merge.keys, value);
}

/** `undefined` for an item without a path element, which validation rejects. */
export function listPathElement(merge: ListMerge, value: JsonValue): PathElement | undefined {
  const result = listItemToPathElement(merge, value);
  return 'element' in result ? result.element : undefined;
}

function setItemToPathElement(value: JsonValue): ListPathElement {
  if (value === null) return { problem: 'a set must not contain null' };
  if (isArray(value)) return { problem: 'a set must not contain lists' };
  if (isJsonObject(value) || value instanceof RawJson) return { problem: 'a set must not contain objects' };
  return { element: valueElement(value) };
}

function keyedItemToPathElement(keys: readonly ListKey[], value: JsonValue): ListPathElement {
  if (value === null) return { problem: 'a list with keys must not contain null' };
  if (!isJsonObject(value)) return { problem: 'a list with keys must contain only objects' };
  const entries: KeyField[] = [];
  for (const { name, default: defaultValue } of keys) {
    const key = value[name] ?? (value[name] === null ? null : defaultValue);
    if (key !== undefined) entries.push({ name, value: key });
  }
  if (entries.length > 0) return { element: keyElement(entries) };
  return { problem: `an element has none of the keys of its list: ${keys.map(({ name }) => name).join(', ')}` };
}
