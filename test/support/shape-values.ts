/** Values that have the JSON types of a kind, and nothing more: what rules make of them is for the test to see. */
import fc from 'fast-check';
import type { TypeShape } from '../../pkg/apis/type-shape.ts';
import { token } from './json-token.ts';

const MAX_DEPTH = 3;

const text = fc.oneof(fc.constantFrom('', 'a', 'example.com/x', 'Always', 'a.b', 'A', '1', '/x'), fc.string({ maxLength: 8 }));

/** Nothing below `MAX_DEPTH` but what is empty. */
export function ofShape(shape: TypeShape, depth = 0): fc.Arbitrary<unknown> {
  const isDeep = depth >= MAX_DEPTH;
  switch (shape.shape) {
    case 'object': {
      if (isDeep) return fc.constant({});
      const members = Object.fromEntries(shape.fields.map(({ name, type }) => [name, ofShape(type, depth + 1)]));
      return fc
        .subarray(Object.keys(members), { maxLength: Math.min(3, shape.fields.length) })
        .chain((names) =>
          fc.record(Object.fromEntries(names.map((name) => [name, members[name] ?? fc.constant(null)])), { noNullPrototype: true }),
        );
    }
    case 'array':
      return isDeep ? fc.constant([]) : fc.array(ofShape(shape.items, depth + 1), { maxLength: 2 });
    case 'map':
      return isDeep ? fc.constant({}) : fc.dictionary(text, ofShape(shape.values, depth + 1), { maxKeys: 2, noNullPrototype: true });
    case 'boolean':
      return fc.boolean();
    case 'int32':
      return fc.constantFrom(0, 1, -1, 5, 2147483647);
    case 'int64':
      return fc.constantFrom<unknown>(
        0,
        1,
        -1,
        30,
        token('9223372036854775807'),
        token('-9007199254740993'),
        token('379303814698299904'),
        token('379303814698299900'),
      );
    case 'number':
      return fc.constantFrom<unknown>(0, 1.5, token('1e3'));
    case 'time':
      return fc.constantFrom('2026-11-20T10:11:12Z', '2026-11-20T10:11:12.5+01:00', '0001-01-01T00:00:00Z');
    case 'micro-time':
      return fc.constantFrom('2026-11-20T10:11:12.000000Z', '2026-11-20T10:11:12.123456-01:00');
    case 'duration':
      return fc.constantFrom('1h', '90m', '0');
    case 'quantity':
      return fc.constantFrom<unknown>('1', '0.5', '1000m', '1e3', '-1', '1.5Gi', 3, token('0.125'), '1n');
    case 'int-or-string':
      return fc.constantFrom<unknown>(0, 1, '50%', 'web', '');
    case 'bytes':
      return fc.constantFrom('', 'YQ==');
    case 'raw':
    case 'fields-v1':
      return fc.constantFrom<unknown>({}, { a: token('1.0') }, { 'f:metadata': {} });
    case 'any':
      return fc.jsonValue();
    case 'string':
      return text;
    default:
      return shape satisfies never;
  }
}

interface Place {
  readonly path: readonly string[];
  readonly shape: TypeShape;
}

/** Every field, present or not, of the structs that `value` has. */
function placesOf(shape: TypeShape, value: unknown, path: readonly string[] = []): readonly Place[] {
  const here = path.length === 0 ? [] : [{ path, shape }];
  if (typeof value !== 'object' || value === null) return here;
  const inner = (name: string, type: TypeShape) => placesOf(type, Reflect.get(value, name), [...path, name]);
  if (shape.shape === 'object') return [...here, ...shape.fields.flatMap(({ name, type }) => inner(name, type))];
  if (shape.shape === 'array') return [...here, ...Object.keys(value).flatMap((index) => inner(index, shape.items))];
  if (shape.shape === 'map') return [...here, ...Object.keys(value).flatMap((key) => inner(key, shape.values))];
  return here;
}

/**
 * A copy of `sample` with another value of the right type in one to three places, the names of the object left alone.
 */
export function variation<T extends object>(shape: TypeShape, sample: T): fc.Arbitrary<T> {
  const places = placesOf(shape, sample).filter(({ path }) => !/^(?:metadata|kind|apiVersion)(?:,(?:name|namespace))?$/.test(path.join()));
  const change = fc.constantFrom(...places).chain((place) => ofShape(place.shape).map((value) => ({ path: place.path, value })));
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy = structuredClone(sample);
    for (const { path, value } of changes) replaceAt(copy, path, value);
    return copy;
  });
}

/** Changes `root`. A place that another change has taken away stays away. */
function replaceAt(root: object, path: readonly string[], value: unknown): void {
  let parent: unknown = root;
  for (const key of path.slice(0, -1)) parent = typeof parent === 'object' && parent !== null ? Reflect.get(parent, key) : undefined;
  if (typeof parent === 'object' && parent !== null) Reflect.set(parent, path.at(-1) ?? '', value);
}
