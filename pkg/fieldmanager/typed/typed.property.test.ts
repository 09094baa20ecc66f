/** What holds of every object, between these operations. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toJsonText } from '../../../test/support/json-token.ts';
import { kindSample, SAMPLE_KINDS } from '../../../test/support/kind-samples.ts';
import { MERGE_SHAPE } from '../../../test/support/merge-shape.ts';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import { ofShape, variation } from '../../../test/support/shape-values.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import type { Path } from '../fieldpath/path-element.ts';
import { compare } from './compare.ts';
import { toDocument } from './document.ts';
import { merge } from './merge.ts';
import { ensureNamedFieldsAreMembers } from './ensure-named-fields.ts';
import { removeItems } from './remove.ts';
import { toFieldSet } from './paths-below.ts';
import { validate } from './validate.ts';

interface Subject {
  readonly name: string;
  readonly shape: ObjectShape;
  readonly body: fc.Arbitrary<object>;
}

const subjects: readonly Subject[] = [
  { name: 'Thing', shape: MERGE_SHAPE, body: ofShape(MERGE_SHAPE) as fc.Arbitrary<object> },
  ...SAMPLE_KINDS.map(({ definition: { kind }, shape }) => ({
    name: kind,
    shape,
    body: variation(shape, kindSample(kind, 'realistic')),
  })),
];

/** Whether the path is a key field of its list item. */
const isKey = (path: Path) => path.at(-2)?.includes(`"${path.at(-1)?.slice(2)}":`) ?? false;

describe.each(subjects)('For any $name', ({ shape, body }) => {
  const codec = createObjectCodec(shape, { keepsEmptyLists: true });
  const stored = body.map((value) => toDocument(shape, codec.decodeBody(Buffer.from(toJsonText(value))).object));
  const isConfig = (value: JsonObject) => validate(shape, value, { allowDuplicates: false }).length === 0;
  const config = stored.filter(isConfig);
  const live = stored.filter((value) => validate(shape, value, { allowDuplicates: true }).length === 0);
  const clone = (value: JsonObject) => codec.parseStored(codec.encode(value));
  const fields = (value: JsonObject) => toFieldSet(shape, value);
  const holds = <Ts extends [unknown, ...unknown[]]>(law: fc.IPropertyWithHooks<Ts>) => {
    fc.assert(law, propertyRuns(40));
  };
  const expectNone = (set: FieldSet) => {
    expect(Array.from(set.paths())).toEqual([]);
  };

  it(
    'an object equals itself',
    () => {
      holds(
        fc.property(live, (object) => {
          const { added, modified, removed } = compare(shape, object, toDocument(shape, clone(object)));
          expectNone(added.union(modified).union(removed));
        }),
      );
    },
    propertyTimeoutMs,
  );

  it(
    'compare is symmetric in added and removed paths',
    () => {
      holds(
        fc.property(live, live, (before, after) => {
          const there = compare(shape, before, after);
          const back = compare(shape, after, before);
          expect(there.added.equals(back.removed)).toBe(true);
          expect(there.removed.equals(back.added)).toBe(true);
          expect(there.modified.equals(back.modified)).toBe(true);
        }),
      );
    },
    propertyTimeoutMs,
  );

  it(
    'merge is idempotent',
    () => {
      holds(
        fc.property(live, config, (object, set) => {
          expect(merge(shape, set, toDocument(shape, clone(set)))).toBe(set);
          const merged = merge(shape, object, set);
          expect(merge(shape, merged, set)).toBe(merged);
        }),
      );
    },
    propertyTimeoutMs,
  );

  it(
    'merge sets the values of the configuration, changes nothing else, and removes nothing',
    () => {
      holds(
        fc.property(config, config, (object, set) => {
          const merged = merge(shape, object, set);
          // Empty lists are set, but have no owner.
          const { added: said } = compare(shape, {}, set);
          expectNone(fields(set).difference(ensureNamedFieldsAreMembers(shape, fields(merged))));
          const { added, modified, removed } = compare(shape, object, merged);
          expectNone(added.union(modified).difference(said));
          expectNone(removed);
        }),
      );
    },
    propertyTimeoutMs,
  );

  it(
    'removeItems removes the paths of the set, and nothing else',
    () => {
      holds(
        fc.property(live, fc.array(fc.boolean(), { minLength: 1, maxLength: 50 }), (object, chosen) => {
          const paths = Array.from(fields(object).paths()).filter((path) => !isKey(path));
          const set = FieldSet.of(...paths.filter((_, at) => chosen[at % chosen.length] === true));
          const left = removeItems(shape, object, set);
          // An item that is identified by a default only becomes null without its other values, and null has no path
          // element.
          fc.pre(validate(shape, left, { allowDuplicates: true }).length === 0);
          expectNone(fields(left).intersection(set));
          expectNone(fields(object).recursiveDifference(set).difference(fields(left)));
          const { added, removed } = compare(shape, object, left);
          expectNone(added);
          expectNone(set.difference(removed).intersection(fields(left)));
        }),
      );
    },
    propertyTimeoutMs,
  );
});
