import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { applyStrategicMergePatch } from './apply-strategic-merge-patch.ts';

const kinds = createKinds({ groupSuffix: 'k8s.io' });

function shapeOf(kind: string): ObjectShape {
  const found = kinds.find(({ definition }) => definition.kind === kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found.shape;
}

const cronJob = shapeOf('CronJob');
const revision = shapeOf('ControllerRevision');
const budget = shapeOf('PodDisruptionBudget');

/** Parses a patch as the server does. */
function parsePatch(text: string): JsonObject {
  const { value } = parseJson(Buffer.from(text), undefined, 'tokens');
  if (!isJsonObject(value)) throw new Error('the patch is no object');
  return value;
}

const raw = (text: string) => new RawJson(Buffer.from(text));

const conditions = (...types: string[]): JsonValue[] => types.map((type) => ({ type, status: 'True' }));

function refusal(shape: ObjectShape, document: JsonObject, patch: string): StatusError {
  try {
    applyStrategicMergePatch(shape, document, parsePatch(patch));
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('the patch was taken');
}

describe('A strategic merge patch', () => {
  it('modifies no argument and shares unchanged values', () => {
    const document = {
      metadata: { labels: { a: '1' }, finalizers: ['x', 'y'] },
      status: { conditions: conditions('A', 'B'), currentHealthy: 1 },
    };
    const patch = {
      metadata: { labels: { a: null }, finalizers: ['z'], '$deleteFromPrimitiveList/finalizers': ['x'] },
      status: {
        '$setElementOrder/conditions': [{ type: 'C' }, { type: 'B' }],
        conditions: [{ type: 'C', $patch: 'replace' }, { type: 'B' }],
      },
    };
    const before = writeJson([document, patch]);
    const patched = applyStrategicMergePatch(budget, document, { metadata: patch.metadata });
    expect(patched['status']).toBe(document.status);
    applyStrategicMergePatch(budget, document, patch);
    expect(writeJson([document, patch])).toBe(before);
  });

  it('changes nothing when it is empty', () => {
    const document = { metadata: { name: 'a' }, spec: { selector: {} } };
    expect(applyStrategicMergePatch(budget, document, {})).toEqual(document);
  });

  it.each([
    ['{"finalizers":["b"],"$deleteFromPrimitiveList/finalizers":["b"]}', ['a']],
    ['{"$deleteFromPrimitiveList/finalizers":["b"],"finalizers":["b"]}', ['b', 'a']],
  ])('applies its members in their order: %s', (metadata, finalizers) => {
    const document = { metadata: { finalizers: ['a', 'b'] } };
    expect(applyStrategicMergePatch(cronJob, document, { metadata: parsePatch(metadata) })).toEqual({ metadata: { finalizers } });
  });

  it('treats undefined members as absent', () => {
    const document = { spec: { suspend: undefined, schedule: 'a' }, metadata: undefined };
    const patch = { spec: { timeZone: undefined, suspend: true }, metadata: { labels: undefined, name: 'x' } };
    expect(applyStrategicMergePatch(cronJob, document, patch)).toEqual({ spec: { suspend: true, schedule: 'a' }, metadata: { name: 'x' } });
  });

  it('keeps integers that no double can represent', () => {
    const document = parsePatch('{"spec":{"startingDeadlineSeconds":9007199254740993}}');
    const patch = parsePatch('{"spec":{"jobTemplate":{"spec":{"activeDeadlineSeconds":9223372036854775807}}}}');
    expect(writeJson(applyStrategicMergePatch(cronJob, document, patch))).toBe(
      '{"spec":{"startingDeadlineSeconds":9007199254740993,"jobTemplate":{"spec":{"activeDeadlineSeconds":9223372036854775807}}}}',
    );
  });

  it('merges by numeric keys, whatever their spelling', () => {
    const port = (ports: string) =>
      parsePatch(`{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"a","ports":${ports}}]}}}}}}`);
    const document = port('[{"containerPort":80},{"containerPort":443}]');
    const patch = port('[{"containerPort":443.0,"name":"tls"}]');
    expect(writeJson(applyStrategicMergePatch(cronJob, document, patch))).toBe(
      writeJson(port('[{"containerPort":80},{"containerPort":443.0,"name":"tls"}]')),
    );
  });
});

describe('A raw value in a strategic merge patch', () => {
  it('keeps its identity if the patch does not reach into it', () => {
    const data = raw('{"a":1.0,"b":{"$patch":"replace"}}');
    expect(applyStrategicMergePatch(revision, { data, revision: 1 }, { revision: 2 })['data']).toBe(data);
  });

  it.each([
    ['members are set and removed', '{"a":1.0,"b":-0,"c":9007199254740993}', '{"data":{"c":null,"d":1e2}}', '{"a":1.0,"b":-0,"d":1e2}'],
    ['an object below stays as it is', '{"a":{"b":1.0}}', '{"data":{"c":1.0}}', '{"a":{"b":1.0},"c":1.0}'],
    ['another kind of value takes its place', '{"a":1}', '{"data":[1.0,null]}', '[1.0,null]'],
    ['a text takes its place', '{"a":1}', '{"data":"x"}', '"x"'],
    ['a null removes it', '{"a":1}', '{"data":null}', undefined],
    ['a directive replaces it', '{"a":1}', '{"data":{"$patch":"replace","b":1.0}}', '{"b":1.0}'],
  ])('is decoded one level deep: %s', (_, data, patch, expected) => {
    const patched = applyStrategicMergePatch(revision, { data: raw(data) }, parsePatch(patch));
    expect(writeJson(patched)).toBe(expected === undefined ? '{}' : `{"data":${expected}}`);
  });

  it('may be raw in the patch too', () => {
    const patched = (data: string | undefined, patch: string) =>
      writeJson(applyStrategicMergePatch(revision, data === undefined ? {} : { data: raw(data) }, { data: raw(patch) }));
    expect(patched('{"a":1.0}', '{"b":2.0,"a":null}')).toBe('{"data":{"b":2.0}}');
    expect(patched(undefined, '{"b":2.0,"c":"\\u0061"}')).toBe('{"data":{"b":2.0,"c":"\\u0061"}}');
    expect(patched(undefined, '{"b":2.0,"c":null,"d":{"$patch":"delete"}}')).toBe('{"data":{"b":2.0}}');
    expect(patched('{"a":1}', 'null')).toBe('{}');
  });

  it('is replaced, not merged, below its first level', () => {
    expect(refusal(revision, { data: raw('{"a":{"b":1}}') }, '{"data":{"a":{"c":1}}}').code).toBe(422);
  });
});

describe('A member called __proto__', () => {
  const proto = (text: string) => parsePatch(text);

  it.each([
    ['is added to a map', '{"metadata":{"labels":{"a":"1"}}}', '{"metadata":{"labels":{"__proto__":"x"}}}', '{"a":"1","__proto__":"x"}'],
    ['is replaced', '{"metadata":{"labels":{"__proto__":"x"}}}', '{"metadata":{"labels":{"__proto__":"y"}}}', '{"__proto__":"y"}'],
    ['is removed', '{"metadata":{"labels":{"__proto__":"x"}}}', '{"metadata":{"labels":{"__proto__":null}}}', '{}'],
    ['is kept', '{"metadata":{"labels":{"__proto__":"x"}}}', '{"metadata":{"labels":{"a":"1"}}}', '{"__proto__":"x","a":"1"}'],
    ['comes with a new map', '{"metadata":{}}', '{"metadata":{"labels":{"__proto__":"x","b":null}}}', '{"__proto__":"x"}'],
    [
      'is retained by name',
      '{"metadata":{"labels":{"__proto__":"x","b":"y"}}}',
      '{"metadata":{"labels":{"$retainKeys":["__proto__"]}}}',
      '{"__proto__":"x"}',
    ],
  ])('%s', (_, document, patch, labels) => {
    const patched = applyStrategicMergePatch(cronJob, proto(document), proto(patch));
    expect(writeJson(patched)).toBe(`{"metadata":{"labels":${labels}}}`);
  });

  it.each([
    '{"__proto__":{"polluted":1}}',
    '{"metadata":{"__proto__":{"polluted":1}}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"$setElementOrder/__proto__":[]}',
    '{"$deleteFromPrimitiveList/__proto__":["a"]}',
    '{"$deleteFromPrimitiveList/constructor":null}',
  ])('leaves prototypes unchanged in %s', (text) => {
    try {
      const patched = applyStrategicMergePatch(cronJob, { metadata: { name: 'a' } }, proto(text));
      expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
    } catch (error) {
      expect(error).toBeInstanceOf(StatusError);
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(Object, 'polluted')).toBeUndefined();
  });
});

describe('A strategic merge patch is rejected', () => {
  it.each([
    ['{"spec":{"$patch":"merge"}}', 'spec.$patch: must be "delete" or "replace"'],
    ['{"$patch":1}', '$patch: must be "delete" or "replace"'],
    ['{"metadata":{"$retainKeys":"name"}}', 'metadata.$retainKeys: must be a list of names'],
    ['{"metadata":{"$retainKeys":["name"],"labels":{}}}', 'metadata.$retainKeys: must name labels, which the patch sets'],
    [
      '{"metadata":{"$deleteFromPrimitiveList":[]}}',
      'metadata.$deleteFromPrimitiveList: $deleteFromPrimitiveList must be followed by / and a field',
    ],
    [
      '{"metadata":{"$setElementOrderx/finalizers":[]}}',
      'metadata.$setElementOrderx/finalizers: $setElementOrder must be followed by / and a field',
    ],
    ['{"metadata":{"$setElementOrder/finalizers":{}}}', 'metadata.$setElementOrder/finalizers: must be a list'],
    [
      '{"metadata":{"$setElementOrder/finalizers":["x"],"finalizers":["z"]}}',
      'metadata.finalizers: $setElementOrder must name every value of the patch, in the same order',
    ],
    [
      '{"metadata":{"$setElementOrder/finalizers":["x"],"finalizers":null}}',
      'metadata.finalizers: must be a list, since the patch orders it',
    ],
    ['{"metadata":{"ownerReferences":[{"name":"a"}]}}', 'metadata.ownerReferences: an element has no uid, which is its merge key'],
    ['{"metadata":{"ownerReferences":[{"uid":{}}]}}', 'metadata.ownerReferences: uid must be plain values'],
    [
      '{"metadata":{"ownerReferences":[{"uid":"a"},{"uid":"b","$patch":"merge"}]}}',
      'metadata.ownerReferences[1].$patch: must be "delete" or "replace" in a list merged by uid',
    ],
  ])('as a bad request if the patch itself is wrong: %s', (patch, message) => {
    const document = { metadata: { name: 'a', finalizers: ['x', 'y'], ownerReferences: [{ uid: '1' }] }, spec: {} };
    expect(refusal(cronJob, document, patch)).toMatchObject({ code: 400, reason: 'BadRequest', message: `invalid patch: ${message}` });
  });

  it.each([
    ['{"metadata":{"finalizers":[1]}}', 'metadata.finalizers: elements must be of one kind, not string and number'],
    ['{"metadata":{"finalizers":["z",null]}}', 'metadata.finalizers: a list with null elements cannot be merged'],
    ['{"metadata":{"finalizers":[["z"]]}}', 'metadata.finalizers: lists of lists cannot be merged'],
    ['{"spec":{"unknown":{"b":1}}}', 'spec.unknown: cannot be merged, since the type has no such object or list'],
    ['{"metadata":{"$setElementOrder/labels":[]}}', 'metadata.labels: is not a list, but the patch orders it'],
    ['{"metadata":{"$setElementOrder/ownerReferences":[]}}', 'metadata.ownerReferences: there are no elements to order'],
  ])('as invalid if it does not fit the object: %s', (patch, message) => {
    const document = { metadata: { finalizers: ['x'], labels: {}, ownerReferences: [] }, spec: { unknown: { a: 1 } } };
    const refused = refusal(cronJob, document, patch);
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid', message: `invalid patch: ${message}` });
    expect(refused.details).toBeUndefined();
  });
});
