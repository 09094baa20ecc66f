import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toJsonText } from '../../../test/support/json-token.ts';
import { kindSampleText, SAMPLE_NAMES } from '../../../test/support/kind-samples.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { variation } from '../../../test/support/shape-values.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { isArray, isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { toDocument } from './document.ts';

const kinds = createKinds({ groupSuffix: 'k8s.io' });
const kindOf = (kind: string) => {
  const found = kinds.find(({ definition }) => definition.kind === kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
};

const sorted = (value: JsonValue): JsonValue => {
  if (isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, JsonValue] => [name, sorted(member ?? null)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
};
/** JSON with sorted keys. */
const canonical = (text: string) => writeJson(sorted(parseJson(Buffer.from(text)).value));

describe('A document', () => {
  for (const { definition, shape } of kinds) {
    const { kind } = definition;
    const codec = createObjectCodec(shape, { keepsEmptyLists: true });
    /** Reports members that the document should not have, since unknown members are always written. */
    const expectAsWritten = (object: JsonObject) => {
      expect(canonical(writeJson(toDocument(shape, object)))).toBe(canonical(codec.encode(object).toString()));
    };

    it.each(SAMPLE_NAMES)(`contains the written fields of the %s ${kind}`, (name) => {
      expectAsWritten(codec.decodeBody(Buffer.from(kindSampleText(kind, name))).object);
    });

    it(`contains the written fields of any ${kind}, and modifies nothing`, () => {
      const sample = JSON.parse(kindSampleText(kind, 'realistic')) as object;
      fc.assert(
        fc.property(variation(shape, sample), (changed) => {
          const body = toJsonText(changed);
          const { object } = codec.decodeBody(Buffer.from(body));
          const before = writeJson(object);
          expectAsWritten(object);
          expect(writeJson(object)).toBe(before);
        }),
        propertyRuns(100),
      );
    });

    it(`of a stored ${kind} is the object itself`, () => {
      const { object } = codec.decodeBody(Buffer.from(kindSampleText(kind, 'full')));
      const stored = codec.parseStored(codec.encode(object));
      expect(toDocument(shape, stored)).toBe(stored);
    });
  }

  it('omits the resourceVersion of the object, but not others', () => {
    const object = { metadata: { name: 'a', resourceVersion: '5' }, status: { active: [{ name: 'j', resourceVersion: '6' }] } };
    expect(toDocument(kindOf('CronJob').shape, object)).toMatchObject({
      metadata: { name: 'a' },
      status: { active: [{ resourceVersion: '6' }] },
    });
    expect(toDocument(kindOf('CronJob').shape, object)['metadata']).not.toHaveProperty('resourceVersion');
  });

  it('shares unchanged values with the object', () => {
    const labels = { a: 'b' };
    const volumes = [{ name: 'v', emptyDir: {} }];
    const container = { name: 'c', image: 'i', imagePullPolicy: 'Always' };
    const object = { metadata: { labels }, spec: { jobTemplate: { spec: { template: { spec: { volumes, containers: [container] } } } } } };
    const document = toDocument(kindOf('CronJob').shape, object);
    expect(document['metadata']).toBe(object.metadata);
    expect(document).toMatchObject({ spec: { schedule: '', jobTemplate: { spec: { template: { spec: {} } } } }, status: {} });
    const podSpec = (document['spec'] as typeof object.spec).jobTemplate.spec.template.spec;
    expect(podSpec.volumes).toBe(volumes);
    expect(podSpec.containers).toEqual([{ ...container, resources: {} }]);
  });

  it('keeps empty values behind pointers only', () => {
    const { shape } = kindOf('CronJob');
    const spec = { schedule: '', timeZone: '', concurrencyPolicy: '', suspend: false, startingDeadlineSeconds: 0, jobTemplate: {} };
    const { spec: shown } = toDocument(shape, { spec }) as { readonly spec: JsonObject };
    expect(shown).toMatchObject({ schedule: '', timeZone: '', suspend: false, startingDeadlineSeconds: 0 });
    expect(shown).not.toHaveProperty('concurrencyPolicy');
  });

  it('accepts map keys of any name', () => {
    const shape: ObjectShape = {
      shape: 'object',
      name: 'Test',
      fields: [
        {
          name: 'map',
          type: {
            shape: 'map',
            values: {
              shape: 'object',
              name: 'Inner',
              fields: [{ name: 'a', type: { shape: 'string' }, omit: 'never', pointer: false, zero: '' }],
            },
          },
          omit: 'empty',
          pointer: false,
        },
      ],
    };
    const object = JSON.parse('{"map":{"__proto__":{},"constructor":{"a":"b"}}}') as JsonObject;
    expect(writeJson(toDocument(shape, object))).toBe('{"map":{"__proto__":{"a":""},"constructor":{"a":"b"}}}');
  });
});
