/** Bodies that are wrong in random places: a realistic object with something deleted, replaced, renamed or added. */
import fc from 'fast-check';
import { token, toJsonText } from './json-token.ts';

/** What clients send by mistake or in malice. */
const ODD_VALUES: readonly unknown[] = [
  null,
  '',
  'x',
  ' ',
  '\u0000',
  'é😀',
  'a'.repeat(5000),
  '../..',
  '-',
  '%00',
  '${x}',
  '100%',
  '1Gi',
  '*/5 * * * *',
  '2026-01-01T00:00:00Z',
  '__proto__',
  0,
  -1,
  1.5,
  2 ** 31,
  true,
  [],
  {},
  [null],
  [{}],
  [[]],
  ['', ''],
  { '': '' },
  { constructor: 1, toString: 'x' },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  Array.from({ length: 1000 }, (_, index) => index),
  Array.from({ length: 200 }, () => ({ name: 'a' })),
  token('-0'),
  token('1e2'),
  token('1e400'),
  token('9223372036854775808'),
  token('123456789012345678901234567890'),
  token('"\\ud800"'),
  token(`${'['.repeat(200)}${']'.repeat(200)}`),
  token(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`),
  token('{"a":1,"a":2}'),
  token('nul'),
];

type Operation = 'delete' | 'replace' | 'rename' | 'add' | 'repeat';

interface Mutation {
  readonly operation: Operation;
  /** Which of the object's places, counted anew each time. */
  readonly place: number;
  readonly odd: unknown;
  readonly word: string;
}

type Node = Record<string, unknown> | unknown[];
interface Place {
  readonly parent: Node;
  readonly key: string;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function placesOf(root: Node): readonly Place[] {
  const places: Place[] = [];
  const walk = (parent: Node): void => {
    for (const [key, value] of Object.entries(parent)) {
      places.push({ parent, key });
      if (isNode(value)) walk(value);
    }
  };
  walk(root);
  return places;
}

const put = (parent: Node, key: string, value: unknown): unknown =>
  Object.defineProperty(parent, key, { value, enumerable: true, writable: true, configurable: true });

/** Changes `root`. */
function mutate(root: Node, { operation, place, odd, word }: Mutation): void {
  const places = placesOf(root);
  const found = places[place % Math.max(places.length, 1)];
  if (found === undefined) return;
  const { parent, key } = found;
  const value: unknown = Reflect.get(parent, key);
  if (operation === 'replace') put(parent, key, structuredClone(odd));
  else if (Array.isArray(parent)) {
    if (operation === 'delete') parent.splice(Number(key), 1);
    else parent.push(operation === 'repeat' ? structuredClone(value) : structuredClone(odd));
  } else if (operation === 'delete') Reflect.deleteProperty(parent, key);
  else if (operation === 'rename') {
    Reflect.deleteProperty(parent, key);
    put(parent, word, value);
  } else put(parent, word, structuredClone(operation === 'repeat' ? value : odd));
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  operation: fc.constantFrom<Operation>('delete', 'replace', 'replace', 'replace', 'rename', 'add', 'repeat'),
  place: fc.nat({ max: 100_000 }),
  odd: fc.constantFrom(...ODD_VALUES),
  word: fc.constantFrom('__proto__', 'constructor', 'name', 'items', 'kind', '', 'a b', 'metadata', 'spec', 'status', 'é'),
});

/** One to four changes to a copy of what `sample` returns, as the text of a body. */
export const mutated = (sample: () => Node): fc.Arbitrary<string> =>
  fc.array(mutation, { minLength: 1, maxLength: 4 }).map((mutations) => {
    const copy = structuredClone(sample());
    for (const each of mutations) mutate(copy, each);
    return toJsonText(copy);
  });
