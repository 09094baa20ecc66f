/** What the data of ConfigMaps and Secrets have in common: keys that become file names, a size, and `immutable`. */
import { checkConfigMapKey } from '../../../apimachinery/meta/names.ts';
import { causesOfEach, forbidden, invalidValue, NO_CAUSES } from '../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';

/** Texts by key; binary data is base64. */
export type KeyedData = Readonly<Record<string, string>>;

/** For all values of an object together, as bytes. Keys do not count. */
export const MAX_DATA_BYTES = 1024 * 1024;

export const keyCauses = (data: KeyedData, path: FieldPath): readonly StatusCause[] =>
  causesOfEach(Object.keys(data), (key) => checkConfigMapKey(key).map((message) => invalidValue(path.key(key), key, message)));

/** The sum of `lengthOf` of all values. */
export function totalLength(data: KeyedData, lengthOf: (value: string) => number): number {
  let total = 0;
  for (const key in data) total += lengthOf(data[key] ?? '');
  return total;
}

const IMMUTABLE = FieldPath.of('immutable');

interface Protected {
  readonly immutable?: boolean;
}

/** Only an object that was stored as immutable is protected. `changed`: the fields of its data that differ. */
export function immutableCauses(object: Protected, stored: Protected, changed: () => readonly FieldPath[]): readonly StatusCause[] {
  if (stored.immutable !== true) return NO_CAUSES;
  const fields = object.immutable === true ? changed() : [IMMUTABLE, ...changed()];
  return fields.map((field) => forbidden(field, 'field is immutable when `immutable` is set'));
}

/** As in Go, a map that is empty differs from one that is absent. */
export function sameData(left: KeyedData | undefined, right: KeyedData | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && left[key] === right[key]);
}
