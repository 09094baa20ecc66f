import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toJsonText } from '../support/json-token.ts';
import { propertyRuns, propertyTimeoutMs } from '../support/property-runs.ts';
import { kindSample } from '../support/kind-samples.ts';
import { variation } from '../support/shape-values.ts';
import type { JsonObject, JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { decodeRaw, openRaw } from '../../pkg/apimachinery/json/parse-json.ts';
import { RawJson } from '../../pkg/apimachinery/json/raw-json.ts';
import { isArray, isJsonObject, writeJson } from '../../pkg/apimachinery/json/write-json.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import type { FieldShape, ObjectShape, TypeShape } from '../../pkg/apis/type-shape.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { toDocument } from '../../pkg/fieldmanager/typed/document.ts';
import { applyStrategicMergePatch } from '../../pkg/fieldmanager/strategic-merge-patch/apply-strategic-merge-patch.ts';
import { createStrategicMergePatch } from './create-strategic-merge-patch.ts';

const kinds = createKinds({ groupSuffix: 'k8s.io' });

/** Elements that a patch cannot tell apart are left out but for the first, and `turn` says how merged lists stand. */
function patchable(type: TypeShape, value: JsonValue, turn: number): JsonValue {
  if (type.shape === 'object' && isJsonObject(value)) {
    const fields = new Map(type.fields.map((field) => [field.name, field]));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const field = fields.get(name);
        return [name, field === undefined || member === undefined ? member : patchableMember(field, member, turn)];
      }),
    );
  }
  if (type.shape === 'array' && isArray(value)) return value.map((element) => patchable(type.items, element, turn));
  return value;
}

function patchableMember(field: FieldShape, member: JsonValue, turn: number): JsonValue {
  const inner = patchable(field.type, member, turn);
  if (field.patch?.strategies.includes('merge') !== true || !isArray(inner)) return inner;
  const { mergeKey } = field.patch;
  const identity = (element: JsonValue) => (mergeKey !== undefined && isJsonObject(element) ? element[mergeKey] : element);
  const seen = new Set<JsonValue | undefined>([undefined]);
  const once = inner.filter((element) => !seen.has(identity(element)) && seen.add(identity(element)));
  const start = once.length === 0 ? 0 : turn % once.length;
  return [...once.slice(start), ...once.slice(0, start)];
}

/** Null members count as absent, and raw values by what they say. */
function comparable(value: JsonValue): JsonValue {
  if (value instanceof RawJson) return comparable(openRaw(value) instanceof RawJson ? decodeRaw(value) : openRaw(value));
  if (isArray(value)) return value.map(comparable);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined || member === null ? [] : [[name, comparable(member)]])),
  );
}

describe('A created strategic merge patch', () => {
  for (const { definition, shape } of kinds) {
    const { kind } = definition;
    const codec = createObjectCodec(shape);
    const documents = fc
      .record({ body: variation(shape, kindSample(kind, 'realistic')), turn: fc.nat({ max: 5 }) })
      .map(({ body, turn }) => patchable(shape, toDocument(shape, codec.decodeBody(Buffer.from(toJsonText(body))).object), turn))
      .filter(isJsonObject);

    it(
      `makes one ${kind} of another, and nothing more of it when it comes again`,
      () => {
        fc.assert(
          fc.property(documents, documents, (original, modified) => {
            // No object deep in data can be told from another.
            const target = kind === 'ControllerRevision' ? { ...modified, data: original['data'] } : modified;
            const before = writeJson([original, comparable(target)]);
            const patch = createStrategicMergePatch(shape, original, target);
            const patched = applyStrategicMergePatch(shape, original, patch);
            expect(comparable(patched)).toEqual(comparable(target));
            expect(comparable(applyStrategicMergePatch(shape, patched, patch))).toEqual(comparable(target));
            expect(writeJson([original, comparable(target)])).toBe(before);
          }),
          propertyRuns(40),
        );
      },
      propertyTimeoutMs,
    );
  }

  const shapeOf = (kind: string): ObjectShape => {
    const found = kinds.find(({ definition }) => definition.kind === kind);
    if (found === undefined) throw new Error(`no kind ${kind}`);
    return found.shape;
  };
  const revision = (data: string): JsonObject => ({ data: new RawJson(Buffer.from(data)) });

  it.each([
    ['the same bytes', '{"a":{"b":1}}', '{"a":{"b":1}}', '{}'],
    ['the same value, spelled otherwise', '{"a":1.0,"b":{"c":"\\u0061"}}', '{"b":{"c":"a"},"a":1}', '{}'],
    ['another member', '{"a":1.0,"b":[1.0]}', '{"a":2.0,"b":[1.0]}', '{"data":{"a":2.0}}'],
    ['another kind of value', '{"a":1.0}', '[1.0]', '{"data":[1.0]}'],
  ])('says of raw values what differs: %s', (_, before, after, expected) => {
    expect(writeJson(createStrategicMergePatch(shapeOf('ControllerRevision'), revision(before), revision(after)))).toBe(expected);
  });

  it('takes names that objects inherit for data', () => {
    const labels = (text: string): JsonObject => ({ metadata: { labels: decodeRaw(new RawJson(Buffer.from(text))) } });
    const patch = createStrategicMergePatch(
      shapeOf('CronJob'),
      labels('{"__proto__":"a","constructor":"b"}'),
      labels('{"toString":"c","__proto__":"d"}'),
    );
    expect(writeJson(patch)).toBe('{"metadata":{"labels":{"toString":"c","__proto__":"d","constructor":null}}}');
  });
});
