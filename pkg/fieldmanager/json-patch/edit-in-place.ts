/**
 * The only place that calls the library fast-json-patch. It is given one change at a time, at a path that is known to exist, in
 * containers that were made for it. Its prototype guard stays on; its validation, cloning and comparing are not used, since they go
 * through `JSON.stringify`, which has no large integers.
 */
import fastJsonPatch from 'fast-json-patch';
import type { JsonValue } from '../../apimachinery/json/json-value.ts';

export type Edit =
  { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue } | { readonly op: 'remove'; readonly path: string };

const UNCHECKED = false;
const IN_PLACE = true;
const GUARDED = true;

/** Changes the container that `edit.path` points into; `value` itself is put there, not a copy. */
export function editInPlace(root: object, edit: Edit): void {
  // A copy of the operation, because the library may write into it.
  fastJsonPatch.applyOperation(root, { ...edit }, UNCHECKED, IN_PLACE, GUARDED);
}
