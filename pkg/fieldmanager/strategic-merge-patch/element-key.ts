/** The keys by which list elements are matched: the element itself, or the value of its merge key. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { decodeRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { kindOf, objectOf, type JsonKind } from './json-kind.ts';
import { malformedPatch, inapplicablePatch, type PatchPath } from './patch-error.ts';

/** Compared like the keys of a Map. */
export type ElementKey = string | number | bigint | boolean | null;

/** Throws StatusError for an element without a key. */
export type ToElementKey = (element: JsonValue) => ElementKey;

/** The key function for the list at `path`. */
export function elementKeyBy(mergeKey: string | undefined, path: PatchPath): ToElementKey {
  if (mergeKey === undefined) return (element) => scalarKey(element, 'elements', path);
  return (element) => {
    const object = objectOf(element);
    if (object === undefined) throw malformedPatch(path, `elements must be objects, not a ${kindOf(element)}`);
    const key = memberOf(object, mergeKey);
    if (key === undefined) throw malformedPatch(path, `an element has no ${mergeKey}, which is its merge key`);
    return scalarKey(key, mergeKey, path);
  };
}

function scalarKey(value: JsonValue, subject: string, path: PatchPath): ElementKey {
  if (typeof value !== 'object' || value === null) return value;
  const inner = value instanceof RawJson ? decodeRaw(value) : value;
  if (typeof inner === 'object' && inner !== null) throw malformedPatch(path, `${subject} must be plain values`);
  return inner;
}

/** The common kind of all elements, if any. Throws StatusError if kinds differ, or for lists and null. */
export function kindOfElements(path: PatchPath, ...lists: readonly (readonly JsonValue[])[]): JsonKind | undefined {
  let found: JsonKind | undefined;
  for (const list of lists) {
    for (const element of list) {
      const kind = kindOf(element);
      if (kind === 'list') throw inapplicablePatch(path, 'lists of lists cannot be merged');
      if (kind === 'null') throw inapplicablePatch(path, 'a list with null elements cannot be merged');
      if (found !== undefined && found !== kind) throw inapplicablePatch(path, `elements must be of one kind, not ${found} and ${kind}`);
      found = kind;
    }
  }
  return found;
}
