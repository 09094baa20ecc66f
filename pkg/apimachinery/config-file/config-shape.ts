/** The fields of a configuration file and their types. */
import type { ConfigProblem } from './config-document.ts';

export type ConfigShape =
  'string' | 'boolean' | 'integer' | { readonly list: ConfigShape } | { readonly fields: Readonly<Record<string, ConfigShape>> };

/** Unknown fields and wrong types. `null` counts as absent. */
export function shapeProblems(shape: ConfigShape, value: unknown, path = ''): readonly ConfigProblem[] {
  if (value === undefined || value === null) return [];
  const wrong = (wanted: string) => [{ path, message: `must be ${wanted}` }];
  if (shape === 'string') return typeof value === 'string' ? [] : wrong('a string');
  if (shape === 'boolean') return typeof value === 'boolean' ? [] : wrong('true or false');
  if (shape === 'integer') return Number.isInteger(value) ? [] : wrong('an integer');
  if ('list' in shape) {
    if (!Array.isArray(value)) return wrong('a list');
    return value.flatMap((each: unknown, index) => shapeProblems(shape.list, each, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || Array.isArray(value)) return wrong('an object');
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    return field === undefined ? [{ path: at, message: `unknown field ${JSON.stringify(name)}` }] : shapeProblems(field, member, at);
  });
}
