import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import type { ListKey, ListMerge } from '../../apis/type-shape.ts';
import { type KeyEntry, type PathElement, keyElement, valueElement } from '../fields/path-element.ts';

/** What an element of a list is known by, or why it cannot be known. */
export type Identity = { readonly element: PathElement } | { readonly problem: string };

/**
 * An element of a set is known by its value, one of a list of objects by its keys. A key that is absent counts as its default; where there is
 * none it takes no part, but one key there must be. A null key is a key.
 */
export function identityOf(merge: ListMerge, value: JsonValue): Identity {
  return merge.type === 'set' ? identityInSet(value) : identityByKeys(merge.keys, value);
}

/** `undefined` for an element that cannot be known: validation has refused it. */
export function elementOf(merge: ListMerge, value: JsonValue): PathElement | undefined {
  const identity = identityOf(merge, value);
  return 'element' in identity ? identity.element : undefined;
}

function identityInSet(value: JsonValue): Identity {
  if (value === null) return { problem: 'a set may not hold null' };
  if (isArray(value)) return { problem: 'a set may not hold lists' };
  if (isJsonObject(value) || value instanceof RawJson) return { problem: 'a set may not hold objects' };
  return { element: valueElement(value) };
}

function identityByKeys(keys: readonly ListKey[], value: JsonValue): Identity {
  if (value === null) return { problem: 'a list with keys may not hold null' };
  if (!isJsonObject(value)) return { problem: 'a list with keys may hold objects only' };
  const entries: KeyEntry[] = [];
  for (const { name, default: standIn } of keys) {
    const given = value[name] ?? (value[name] === null ? null : standIn);
    if (given !== undefined) entries.push({ name, value: given });
  }
  if (entries.length > 0) return { element: keyElement(entries) };
  return { problem: `an element has none of the keys of its list: ${keys.map(({ name }) => name).join(', ')}` };
}
