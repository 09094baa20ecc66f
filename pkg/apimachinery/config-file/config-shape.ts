/** The fields of a configuration file and their types. */
import type { ConfigProblem } from './config-document.ts';

export type FileShape =
  'string' | 'boolean' | 'integer' | { readonly list: FileShape } | { readonly fields: Readonly<Record<string, FileShape>> };

/** Unknown fields and wrong types. `null` counts as absent. */
export function shapeProblems(shape: FileShape, value: unknown, path = ''): readonly ConfigProblem[] {
  if (value === undefined || value === null) return [];
  const wrong = (wanted: string) => [{ path, message: `must be ${wanted}` }];
  if (shape === 'string') return typeof value === 'string' ? [] : wrong('a string');
  if (shape === 'boolean') return typeof value === 'boolean' ? [] : wrong('true or false');
  if (shape === 'integer') return Number.isInteger(value) ? [] : wrong('an integer');
  if ('list' in shape) {
    if (!Array.isArray(value)) return wrong('a list');
    return value.flatMap((each: unknown, index) => {
      const at = `${path}[${index}]`;
      return each === null ? [{ path: at, message: 'must not be null' }] : shapeProblems(shape.list, each, at);
    });
  }
  if (typeof value !== 'object' || Array.isArray(value)) return wrong('an object');
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    return field === undefined ? [{ path: at, message: `unknown field ${JSON.stringify(name)}` }] : shapeProblems(field, member, at);
  });
}

/** The value without members that are null, which count as absent. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
