/** Tests that the tables of all kinds must pass. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kindSample, SAMPLE_KINDS, SAMPLE_NAMES } from '../../test/support/kind-samples.ts';
import type { JsonValue } from '../apimachinery/json/json-value.ts';
import type { Kind, KubernetesObject } from './kind.ts';

const samplesOf = ({ definition }: Kind): readonly KubernetesObject[] =>
  SAMPLE_NAMES.map((name) => kindSample(definition.kind, name) as unknown as KubernetesObject);

/** Copies `value` with `instead` in one place, which `steps` selects. */
function damaged(value: JsonValue | undefined, steps: readonly number[], instead: JsonValue): JsonValue {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== 'object' || value === null) return instead;
  const names = Object.keys(value);
  const name = names[step % Math.max(1, names.length)];
  if (name === undefined) return instead;
  if (Array.isArray(value)) return value.map((item: JsonValue, at) => (String(at) === name ? damaged(item, rest, instead) : item));
  const members = value as Readonly<Record<string, JsonValue>>;
  return { ...members, [name]: damaged(members[name], rest, instead) };
}

describe.each(SAMPLE_KINDS.map((kind) => [kind.definition.kind, kind] as const))('The table of %s', (_, kind) => {
  const { columns, cells } = kind.table;

  it('has one column that names the object, and says of each what it shows', () => {
    expect(columns.filter(({ name, format }) => name === 'Name' && format === 'name')).toHaveLength(1);
    for (const { description } of columns) expect(description).toMatch(/^[A-Z].*\.$/);
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
  });

  it('has as many cells as columns for every sample, and for an object with nothing in it', () => {
    for (const sample of [...samplesOf(kind), { kind: '', apiVersion: '', metadata: {} }])
      expect(cells(sample)).toHaveLength(columns.length);
  });

  it('has them for any object, whatever is in its place', () => {
    const samples = samplesOf(kind);
    const odd = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(fc.nat(samples.length - 1), fc.array(fc.nat(20), { maxLength: 9 }), odd, (which, steps, instead) => {
        const object = damaged(samples[which], steps, instead);
        const found = cells(object as KubernetesObject);
        expect(found).toHaveLength(columns.length);
        for (const cell of found) expect(cell).not.toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});
