import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kindSampleText, SAMPLE_KINDS, SAMPLE_NAMES } from '../../../test/support/kind-samples.ts';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { pathText } from '../fieldpath/path-text.ts';
import { toDocumentChange } from './document-change.ts';
import { compare } from './compare.ts';
import { toDocument } from './document.ts';

const subjects = SAMPLE_KINDS.map(({ shape, definition: { kind } }) => {
  const codec = createObjectCodec(shape);
  const samples = SAMPLE_NAMES.map((name) => codec.parseStored(Buffer.from(kindSampleText(kind, name))));
  return { shape, samples, toString: () => kind };
});
type Subject = (typeof subjects)[number];

/** Takes each field, and each field of a struct, from the sample that `whose` selects, or omits it. */
function mixed({ samples }: Subject, whose: () => number): JsonObject {
  const members = (objects: readonly JsonObject[], pick: (name: string) => JsonValue | undefined): JsonObject =>
    Object.fromEntries([...new Set(objects.flatMap((object) => Object.keys(object)))].map((name) => [name, pick(name)]));
  return members(samples, (name) => {
    const values = samples.map((sample) => sample[name]);
    const structs = values.filter(isJsonObject);
    if (structs.length < values.length || whose() === 0) return values[whose() - 1];
    return members(structs, (inner) => structs[whose() - 1]?.[inner]);
  });
}

function pathsOf(shape: ObjectShape, before: JsonObject, after: JsonObject): readonly (readonly string[])[] {
  const { added, modified, removed } = compare(shape, before, after);
  return [added, modified, removed].map((set) => Array.from(set.paths(), pathText));
}

describe('toDocumentChange', () => {
  it(
    'keeps all differences',
    () => {
      const answers = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40 });
      fc.assert(
        fc.property(fc.constantFrom(...subjects), answers, answers, (subject, ofBefore, ofAfter) => {
          const answering = (list: readonly number[]) => {
            let at = 0;
            return () => list[at++ % list.length] ?? 0;
          };
          const [before, after] = [mixed(subject, answering(ofBefore)), mixed(subject, answering(ofAfter))];
          const change = toDocumentChange(subject.shape, before, after);
          expect(pathsOf(subject.shape, change.before, change.after)).toEqual(
            pathsOf(subject.shape, toDocument(subject.shape, before), toDocument(subject.shape, after)),
          );
        }),
        propertyRuns(300),
      );
    },
    propertyTimeoutMs,
  );

  it('omits values that both objects share', () => {
    const [cronJob] = createKinds({ groupSuffix: 'k8s.io' }).filter(({ definition }) => definition.kind === 'CronJob');
    if (cronJob === undefined) throw new Error('no CronJob');
    const [labels, jobTemplate] = [{ a: 'b' }, { spec: {} }];
    const object = (name: string, suspend: boolean) => ({
      metadata: { name, labels },
      spec: { suspend, jobTemplate, schedule: '' },
      status: {},
    });
    const { before, after } = toDocumentChange(cronJob.shape, object('a', true), object('b', false));
    for (const side of [before, after]) {
      expect(side['metadata']).not.toHaveProperty('labels');
      expect(side['spec']).not.toHaveProperty('jobTemplate.spec.parallelism');
    }
    expect(before['spec']).toHaveProperty('suspend', true);
    expect(after['metadata']).toHaveProperty('name', 'b');
  });
});
