/** Helpers for table columns. They never throw, even if a value is absent or has an unexpected type. */
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import type { TableCell, TableColumn } from './kind.ts';

export const NAME_COLUMN: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  priority: 0,
  description: 'Name of the object, unique among its kind in its namespace.',
};

export const AGE_COLUMN: TableColumn = { name: 'Age', type: 'string', priority: 0, description: 'Time since the object was created.' };

/** The value at a path of member names; undefined if there is none. */
export function valueAt(object: unknown, ...path: readonly string[]): unknown {
  let value = object;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/** A string, or a number as text; `absent` for everything else. */
export function textAt(object: unknown, path: readonly string[], absent = ''): string {
  const value = valueAt(object, ...path);
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : absent;
}

export function listAt(object: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value : NOTHING;
}

const NOTHING: readonly unknown[] = [];

/** The number of entries of a map; 0 for everything else. */
export function countAt(object: unknown, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  return isObject(value) && !Array.isArray(value) ? Object.keys(value).length : 0;
}

/** 0 if the value is not a number. */
export function numberAt(object: unknown, ...path: readonly string[]): number | bigint {
  const value = valueAt(object, ...path);
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}

export const nameOf = (object: unknown): string => textAt(object, ['metadata', 'name']);

/** The age since a time in an object; unknown if it is absent or not a time. */
export function ageAt(object: unknown, ...path: readonly string[]): TableCell {
  const time = valueAt(object, ...path);
  const age = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return { age: Number.isNaN(age) ? undefined : age };
}

export const ageOf = (object: unknown): TableCell => ageAt(object, 'metadata', 'creationTimestamp');
