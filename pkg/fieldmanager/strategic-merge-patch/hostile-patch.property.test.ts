/** Malicious patches. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import { applyStrategicMergePatch } from './apply-strategic-merge-patch.ts';
import { createStrategicMergePatch } from '../../../test/fieldmanager/create-strategic-merge-patch.ts';

const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });
const cronJob = kinds.flatMap(({ definition, shape }) => (definition.kind === 'CronJob' ? [shape] : []))[0];
if (cronJob === undefined) throw new Error('no kind CronJob');

const FIELDS = [
  'metadata',
  'spec',
  'labels',
  'finalizers',
  'ownerReferences',
  'jobTemplate',
  'template',
  'containers',
  'data',
  'status',
  'conditions',
];
const OWN_NAMES = [
  'name',
  'uid',
  'type',
  'a',
  '__proto__',
  'constructor',
  '',
  '$patch',
  '$retainKeys',
  '$setElementOrder/',
  '$deleteFromPrimitiveList',
];
const names = fc.constantFrom(
  ...FIELDS,
  ...OWN_NAMES,
  ...FIELDS.flatMap((field) => [`$setElementOrder/${field}`, `$deleteFromPrimitiveList/${field}`]),
);
const leaves = fc.constantFrom('null', 'true', '0', '-0', '1.0', '9007199254740993', '"a"', '"delete"', '"replace"', '"merge"', '""');
const { text } = fc.letrec<{ text: string; object: string; list: string }>((tie) => ({
  text: fc.oneof({ maxDepth: 6 }, leaves, tie('object'), tie('list')),
  object: fc
    .array(fc.tuple(names, tie('text')), { maxLength: 5 })
    .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  list: fc.array(tie('text'), { maxLength: 4 }).map((elements) => `[${elements.join(',')}]`),
}));
const objects = text.map((json) => parseJson(Buffer.from(json), undefined, 'tokens').value).filter(isJsonObject);

/** Succeeds, or throws a StatusError. */
function outcome(make: () => JsonObject): void {
  try {
    expect(Object.getPrototypeOf(make())).toBe(Object.prototype);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    expect([400, 422]).toContain(error.code);
  }
}

describe('Any strategic merge patch', () => {
  it(
    'succeeds or fails with a status, and modifies no argument',
    () => {
      const prototype = Object.getOwnPropertyNames(Object.prototype).join();
      fc.assert(
        fc.property(fc.constantFrom(...kinds), objects, objects, ({ shape }, document, patch) => {
          const before = writeJson([document, patch]);
          outcome(() => applyStrategicMergePatch(shape, document, patch));
          outcome(() => createStrategicMergePatch(shape, document, patch));
          expect(writeJson([document, patch])).toBe(before);
        }),
        propertyRuns(1000),
      );
      expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(prototype);
    },
    propertyTimeoutMs,
  );

  it('may be nested as deeply as a request body', () => {
    const depth = 255;
    const nested = (inner: string): JsonObject => {
      const value = parseJson(Buffer.from(`${'{"a":'.repeat(depth)}${inner}${'}'.repeat(depth)}`)).value;
      return isJsonObject(value) ? value : {};
    };
    expect(applyStrategicMergePatch(cronJob, {}, nested('{"$patch":"delete"}'))).toHaveProperty(
      Array.from({ length: depth - 1 }, () => 'a'),
      {},
    );
    outcome(() => applyStrategicMergePatch(cronJob, nested('1'), nested('2')));
  });
});

describe('A strategic merge patch of very long lists', () => {
  const MANY = 2000;
  const numbers = Array.from({ length: MANY }, (_, number) => number);
  const reversed = numbers.toReversed();
  let reads = 0;
  /** Counts how often its merge key is read. */
  const owner = (number: number, members: JsonObject = {}): JsonObject => ({
    ...members,
    get uid() {
      reads++;
      return `o${number}`;
    },
  });
  const owners = (ownerReferences: readonly JsonValue[], others: JsonObject = {}): JsonObject => ({
    metadata: { ...others, ownerReferences },
  });
  const order = (ordered: readonly number[]): JsonObject => ({
    '$setElementOrder/ownerReferences': ordered.map((number) => owner(number)),
  });
  const document = owners(numbers.map((number) => owner(number, { name: 'a' })));

  it.each<[string, JsonObject]>([
    ['changed', owners(reversed.map((number) => owner(number, { name: 'b' })))],
    ['added', owners(numbers.map((number) => owner(number + MANY)))],
    ['deleted', owners(reversed.map((number) => owner(number, { $patch: 'delete' })))],
    ['ordered', { metadata: order(reversed) }],
    [
      'changed and ordered',
      owners(
        reversed.map((number) => owner(number, { name: 'b' })),
        order(reversed),
      ),
    ],
    [
      'added and not ordered',
      owners(
        numbers.map((number) => owner(number + MANY)),
        order([]),
      ),
    ],
    ['one and the same', owners(numbers.map(() => owner(1, { name: 'b' })))],
  ])('reads each object a few times if they are %s', (_, patch) => {
    reads = 0;
    outcome(() => applyStrategicMergePatch(cronJob, document, patch));
    expect(reads).toBeGreaterThan(MANY);
    expect(reads).toBeLessThan(25 * MANY);
  });

  it('reads each object a few times when it is created', () => {
    reads = 0;
    createStrategicMergePatch(cronJob, document, owners(reversed.map((number) => owner(number))));
    expect(reads).toBeGreaterThan(MANY);
    expect(reads).toBeLessThan(25 * MANY);
  });

  /** Counts how often it is decoded. */
  const value = (number: number): RawJson => {
    const bytes = Buffer.from(`${number}.50`);
    const looked = () => {
      reads++;
      return bytes;
    };
    return Object.defineProperty(new RawJson(bytes), 'bytes', { get: looked });
  };

  it('decodes each primitive value a few times', () => {
    const values = (from: number) => Array.from({ length: MANY }, (_, number) => value(from + number));
    const live = { metadata: { finalizers: values(0) } };
    reads = 0;
    const patched = applyStrategicMergePatch(cronJob, live, {
      metadata: {
        finalizers: values(MANY / 2).reverse(),
        '$setElementOrder/finalizers': values(MANY / 2).reverse(),
        '$deleteFromPrimitiveList/finalizers': values(MANY / 4),
      },
    });
    createStrategicMergePatch(cronJob, live, patched);
    expect(reads).toBeGreaterThan(MANY);
    expect(reads).toBeLessThan(100 * MANY);
  });
});
