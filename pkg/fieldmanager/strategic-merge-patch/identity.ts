/** By what the elements of a list are told apart: by their value, or by that of their merge key. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { decodeRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { kindOf, objectOf, type JsonKind } from './json-kind.ts';
import { malformedPatch, unfitPatch, type PatchPath } from './patch-error.ts';

/** Equal as the keys of a Map are. */
export type Identity = string | number | bigint | boolean | null;

/** Throws StatusError for an element that has none. */
export type Identify = (element: JsonValue) => Identity;

/** How the list at `path` tells its elements apart. */
export function identifyBy(mergeKey: string | undefined, path: PatchPath): Identify {
  if (mergeKey === undefined) return (element) => scalarIdentity(element, 'elements', path);
  return (element) => {
    const object = objectOf(element);
    if (object === undefined) throw malformedPatch(path, `elements must be objects, not a ${kindOf(element)}`);
    const key = memberOf(object, mergeKey);
    if (key === undefined) throw malformedPatch(path, `an element has no ${mergeKey}, which is its merge key`);
    return scalarIdentity(key, mergeKey, path);
  };
}

function scalarIdentity(value: JsonValue, subject: string, path: PatchPath): Identity {
  if (typeof value !== 'object' || value === null) return value;
  const inner = value instanceof RawJson ? decodeRaw(value) : value;
  if (typeof inner === 'object' && inner !== null) throw malformedPatch(path, `${subject} must be plain values`);
  return inner;
}

/** The kind that all elements of the lists are of; `undefined`: there is none. Throws StatusError when they differ, or are lists. */
export function kindOfElements(path: PatchPath, ...lists: readonly (readonly JsonValue[])[]): JsonKind | undefined {
  let found: JsonKind | undefined;
  for (const list of lists) {
    for (const element of list) {
      const kind = kindOf(element);
      if (kind === 'list') throw unfitPatch(path, 'lists of lists cannot be merged');
      if (kind === 'null') throw unfitPatch(path, 'a list with null elements cannot be merged');
      if (found !== undefined && found !== kind) throw unfitPatch(path, `elements must be of one kind, not ${found} and ${kind}`);
      found = kind;
    }
  }
  return found;
}
