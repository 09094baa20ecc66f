/** Properties of field management on arbitrary writes, and a comparison with a simple model of a few fields. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kindSampleText, SAMPLE_KINDS } from '../../test/support/kind-samples.ts';
import { propertyRuns, propertyTimeoutMs } from '../../test/support/property-runs.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import { isArray, isJsonObject, writeJson } from '../apimachinery/json/write-json.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Kind, KubernetesObject } from '../apis/kind.ts';
import type { ObjectShape, TypeShape } from '../apis/type-shape.ts';
import { createObjectCodec } from '../schema/object-codec.ts';
import { createFieldManager, type Applier, type FieldManager } from './field-manager.ts';
import { parseFieldsV1 } from './fieldpath/fields-v1.ts';
import { pathText } from './fieldpath/path-text.ts';
import { decodeStoredManagedFields } from './managed-fields/decode-managed-fields.ts';
import { isGranular } from './typed/granularity.ts';

const NOW_MS = Date.UTC(2026, 2, 14);
const by = (manager: string, force = false): Applier => ({ manager, subresource: '', force, nowMs: NOW_MS });

/** A kind and a sample configuration that sets fields of every type. */
interface SampleKind {
  readonly kind: Kind;
  readonly config: JsonObject;
  readonly fieldManager: FieldManager;
  /** Encodes and decodes the document, as storing it does. */
  readonly stored: (document: JsonObject) => KubernetesObject;
  readonly toString: () => string;
}

const subjects: readonly SampleKind[] = SAMPLE_KINDS.map((kind) => {
  const codec = createObjectCodec(kind.shape);
  const sample = codec.parseStored(Buffer.from(kindSampleText(kind.definition.kind, 'realistic')));
  const { labels, annotations } = sample['metadata'] as JsonObject;
  const stored = (document: JsonObject): KubernetesObject =>
    codec.parseStored(codec.encode(codec.decodeBody(Buffer.from(writeJson(document))).object)) as KubernetesObject;
  const config = stored({ ...sample, status: undefined, metadata: { name: 'x', labels, annotations } });
  return { kind, config, fieldManager: createFieldManager(kind), stored, toString: () => kind.definition.kind };
});

/** Returns the results in a cycle. */
function answersOf(answers: readonly number[]): () => number {
  let at = 0;
  return () => answers[at++ % answers.length] ?? 0;
}

/**
 * The part of `value` that manager `side` sets. `whose` returns a bit mask of the managers of each granular field, map
 * entry or list item. List items keep their key fields.
 */
function partOf(type: TypeShape, granular: boolean, value: JsonValue, side: number, whose: () => number): JsonValue | undefined {
  if (granular && type.shape === 'object' && isJsonObject(value)) return structPart(type, value, side, whose);
  if (granular && type.shape === 'map' && isJsonObject(value)) {
    return partsOf(Object.keys(value), (name) => leafPart(value[name], side, whose));
  }
  if (granular && type.shape === 'array' && isArray(value) && type.merge !== undefined) {
    const { items, merge } = type;
    const elements = value.flatMap((element) => {
      const part = partOf(items, isGranular(items), element, side, whose);
      if (part === undefined || merge.type === 'set' || !isJsonObject(part) || !isJsonObject(element))
        return part === undefined ? [] : [part];
      return [
        {
          ...part,
          ...partsOf(
            merge.keys.map(({ name }) => name),
            (name) => element[name],
          ),
        },
      ];
    });
    return elements.length === 0 ? undefined : elements;
  }
  return leafPart(value, side, whose);
}

const leafPart = (value: JsonValue | undefined, side: number, whose: () => number): JsonValue | undefined =>
  (whose() & side) === 0 ? undefined : value;

function structPart(shape: ObjectShape, value: JsonObject, side: number, whose: () => number): JsonObject | undefined {
  return partsOf(Object.keys(value), (name) => {
    const field = shape.fields.find((each) => each.name === name);
    const member = value[name];
    return field === undefined || member === undefined
      ? undefined
      : partOf(field.type, isGranular(field.type, field.atomic), member, side, whose);
  });
}

function partsOf(names: readonly string[], part: (name: string) => JsonValue | undefined): JsonObject | undefined {
  const parts = names.map((name) => [name, part(name)] as const).filter(([, value]) => value !== undefined);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

const FIRST = 1;
const SECOND = 2;

/**
 * The configurations of two managers. Each answer is a bit mask for one field: 0 for none, 1 for the first, 2 for the
 * second, 3 for both.
 */
function configurations({ kind, config }: SampleKind, answers: readonly number[]): readonly [JsonObject, JsonObject] {
  const { apiVersion, kind: name, metadata, status: _, ...rest } = config;
  const { labels, annotations } = metadata as JsonObject;
  const body = { ...rest, metadata: { labels: labels ?? {}, annotations: annotations ?? {} } };
  const of = (side: number): JsonObject => {
    const part = structPart(kind.shape, body, side, answersOf(answers)) ?? {};
    return { ...part, apiVersion, kind: name, metadata: { ...(part['metadata'] as JsonObject | undefined), name: 'x' } };
  };
  return [of(FIRST), of(SECOND)];
}

const subject = fc.constantFrom(...subjects.keys()).map((at) => subjects[at] ?? never());

function never(): never {
  throw new Error('There is one.');
}

const answers = (...choices: readonly number[]) => fc.array(fc.constantFrom(...choices), { minLength: 7, maxLength: 60 });
const apply = ({ fieldManager, stored }: SampleKind, live: KubernetesObject | undefined, config: JsonObject, applier: Applier) =>
  stored(fieldManager.apply(live, config, applier));
const entryOf = ({ metadata }: KubernetesObject, manager: string) => metadata.managedFields?.find((entry) => entry['manager'] === manager);

describe('an apply', () => {
  it(
    'changes nothing when repeated',
    () => {
      fc.assert(
        fc.property(subject, answers(0, 1, 3), (of, whose) => {
          const [config, other] = configurations(of, whose);
          const once = apply(of, apply(of, undefined, other, by('other')), config, by('alice', true));
          expect(apply(of, once, config, { ...by('alice'), nowMs: NOW_MS + 60_000 })).toEqual(once);
        }),
        propertyRuns(60),
      );
    },
    propertyTimeoutMs,
  );

  it(
    'never conflicts with a manager of disjoint fields',
    () => {
      fc.assert(
        fc.property(subject, answers(0, 1, 2), (of, whose) => {
          const [first, second] = configurations(of, whose);
          const both = apply(of, apply(of, undefined, first, by('alice')), second, by('bob'));
          const again = apply(of, both, first, by('alice'));
          expect(again).toEqual(both);
        }),
        propertyRuns(60),
      );
    },
    propertyTimeoutMs,
  );

  it(
    'of an empty configuration removes only fields that no other manager owns',
    () => {
      fc.assert(
        fc.property(subject, answers(0, 1, 2, 3), (of, whose) => {
          const [first, second] = configurations(of, whose);
          const { apiVersion, kind } = first;
          const both = apply(of, apply(of, undefined, first, by('alice')), second, by('bob'));
          const left = apply(of, both, { apiVersion, kind, metadata: { name: 'x' } }, by('alice'));
          const alone = apply(of, undefined, second, by('bob'));
          expect({ ...left, metadata: { ...left.metadata, managedFields: [] } }).toEqual({
            ...alone,
            metadata: { ...alone.metadata, managedFields: [] },
          });
          expect(entryOf(left, 'bob')?.['fieldsV1']).toEqual(entryOf(both, 'bob')?.['fieldsV1']);
          expect(entryOf(left, 'alice')).toBeUndefined();
        }),
        propertyRuns(60),
      );
    },
    propertyTimeoutMs,
  );
});

/** Leaf fields, by their path as conflicts show it. */
type Fields = Readonly<Record<string, string | number>>;
const PLACES = [
  '.spec.concurrencyPolicy',
  '.spec.timeZone',
  '.spec.startingDeadlineSeconds',
  '.metadata.labels.a',
  '.metadata.labels.b',
] as const;
const MANAGERS = ['alice', 'bob', 'carol'] as const;

interface ModelWrite {
  readonly op: 'apply' | 'update';
  readonly manager: string;
  readonly force: boolean;
  readonly fields: Fields;
}

const write: fc.Arbitrary<ModelWrite> = fc.record({
  op: fc.constantFrom('apply', 'update'),
  manager: fc.constantFrom(...MANAGERS),
  force: fc.boolean(),
  fields: fc.dictionary(fc.constantFrom(...PLACES), fc.constantFrom('x', 'y'), { noNullPrototype: true }).map((found): Fields => {
    const { '.spec.startingDeadlineSeconds': seconds, ...texts } = found;
    return seconds === undefined ? texts : { ...texts, '.spec.startingDeadlineSeconds': seconds === 'x' ? 1 : 2 };
  }),
});

/** A model of managed fields: values, and the paths of each owner, such as `alice Apply`. */
class Model {
  values: Fields = {};
  readonly owners = new Map<string, Set<string>>();

  /** Returns the conflicts. If there are any, nothing is written. */
  write({ op, manager, force, fields }: ModelWrite): readonly string[] {
    const self = `${manager} ${op === 'apply' ? 'Apply' : 'Update'}`;
    const changed = Object.keys(fields).filter((path) => fields[path] !== this.values[path]);
    const others = [...this.owners].filter(([owner]) => owner !== self);
    if (op === 'apply' && !force) {
      const conflicts = others.flatMap(([owner, paths]) => changed.filter((path) => paths.has(path)).map((path) => `${owner} ${path}`));
      if (conflicts.length > 0) return conflicts;
    }
    const owned = new Set(others.flatMap(([, paths]) => [...paths]));
    const mine = this.owners.get(self) ?? new Set();
    const gone =
      op === 'update'
        ? Object.keys(this.values).filter((path) => !(path in fields))
        : [...mine].filter((path) => !(path in fields) && !owned.has(path));
    const kept = Object.entries(this.values).filter(([path]) => !gone.includes(path));
    this.values = { ...Object.fromEntries(kept), ...fields };
    for (const paths of this.owners.values()) for (const path of [...changed, ...gone]) paths.delete(path);
    if (op === 'apply') this.owners.set(self, new Set(Object.keys(fields)));
    else this.owners.set(self, new Set([...(this.owners.get(self) ?? []), ...changed]));
    return [];
  }
}

/** `metadata` sets a base label, so neither the labels map nor the object becomes empty. */
function objectOf(fields: Fields, metadata: JsonObject): JsonObject {
  const of = (prefix: string) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([path, value]) => (path.startsWith(prefix) ? [[path.slice(prefix.length), value]] : [])),
    );
  const labels = { ...(metadata['labels'] as JsonObject | undefined), ...of('.metadata.labels.') };
  const labelled = Object.keys(labels).length === 0 ? metadata : { ...metadata, labels };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: labelled, spec: of('.spec.') };
}

function ownersOf({ metadata }: KubernetesObject): ReadonlyMap<string, readonly string[]> {
  const owners = [...(decodeStoredManagedFields(metadata.managedFields) ?? [])].map(([, { manager, operation, fieldsV1 }]) => {
    const paths = [...(parseFieldsV1(fieldsV1)?.paths() ?? [])]
      .map(pathText)
      .filter((path) => (PLACES as readonly string[]).includes(path));
    return [`${manager} ${operation}`, paths.sort()] as const;
  });
  return new Map(owners.filter(([owner, paths]) => owner !== 'base Update' && paths.length > 0));
}

describe('managed fields after any sequence of writes', () => {
  it(
    'match the model in owners, values and conflicts',
    () => {
      const cronJobs = subjects.find(({ kind }) => kind.definition.kind === 'CronJob');
      if (cronJobs === undefined) throw new Error('no subject');
      const { fieldManager, stored } = cronJobs;
      fc.assert(
        fc.property(fc.array(write, { minLength: 1, maxLength: 12 }), (writes) => {
          const model = new Model();
          const base = { name: 'x', labels: { base: 'x' } };
          let live = fieldManager.update(undefined, stored(objectOf({}, base)), by('base'));
          for (const each of writes) {
            const before = live;
            const conflicts = conflictsOf(() => {
              const applier = by(each.manager, each.force);
              const object = objectOf(each.fields, each.op === 'apply' ? { name: 'x' } : base);
              live = stored(
                each.op === 'apply' ? fieldManager.apply(before, object, applier) : fieldManager.update(before, stored(object), applier),
              );
            });
            expect(conflicts).toEqual([...model.write(each)].sort());
            expect(ownersOf(live)).toEqual(
              new Map([...model.owners].filter(([, paths]) => paths.size > 0).map(([owner, paths]) => [owner, [...paths].sort()])),
            );
            const { managedFields: _, ...metadata } = live.metadata;
            expect({ ...live, metadata }).toEqual(stored(objectOf(model.values, base)));
          }
        }),
        propertyRuns(200),
      );
    },
    propertyTimeoutMs,
  );
});

/** `alice Apply .spec.schedule`, sorted. */
function conflictsOf(act: () => void): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return (error.details?.causes ?? [])
      .map(({ field = '', message }) => `${/"(\w+)"/.exec(message)?.[1] ?? ''} ${message.includes('using') ? 'Update' : 'Apply'} ${field}`)
      .sort();
  }
}
