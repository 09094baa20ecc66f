/**
 * The only use of fast-json-patch: one change at an existing path in writable containers, with its prototype guard. Its
 * validation, cloning and comparison use `JSON.stringify`, which loses large integers.
 */
import fastJsonPatch from 'fast-json-patch';
import type { JsonValue } from '../../apimachinery/json/json-value.ts';

export type InPlaceEdit =
  { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue } | { readonly op: 'remove'; readonly path: string };

const VALIDATE = false;
const MUTATE = true;
const BAN_PROTOTYPE_CHANGES = true;

/** Changes the container that `edit.path` points into. Inserts `value` itself, not a copy. */
export function editInPlace(root: object, edit: InPlaceEdit): void {
  // A copy, because the library may modify the operation.
  fastJsonPatch.applyOperation(root, { ...edit }, VALIDATE, MUTATE, BAN_PROTOTYPE_CHANGES);
}
