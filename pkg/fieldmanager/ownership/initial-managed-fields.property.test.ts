/** `InitialManagedFields` gives the same bytes as `recordUpdate`. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kindSample, SAMPLE_KINDS, SAMPLE_NAMES, type SampleName } from '../../../test/support/kind-samples.ts';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { encodeManagedFields } from '../managed-fields/encode-managed-fields.ts';
import { NO_MANAGED_FIELDS } from '../managed-fields/field-owner.ts';
import { toDocument } from '../typed/document.ts';
import { InitialManagedFields } from './initial-managed-fields.ts';
import { recordUpdate } from './record-update.ts';
import { writeScopes } from './write-scope.ts';

const WRITER = { manager: 'alice', subresource: '', time: '2026-03-14T00:00:00Z' };

const subjects = SAMPLE_KINDS.flatMap((kind) => {
  const { shape, definition } = kind;
  const codec = createObjectCodec(shape);
  const { create } = writeScopes(kind);
  const emptyDocument = toDocument(shape, { kind: definition.kind, apiVersion: definition.apiVersion, metadata: {} });
  const initialManagedFields = new InitialManagedFields(create, emptyDocument);
  return SAMPLE_NAMES.map((size) => {
    const name = `${size} ${definition.kind}`;
    return {
      name,
      shape,
      codec,
      create,
      emptyDocument,
      initialManagedFields,
      sample: sampleOf(definition.kind, size),
      toString: () => name,
    };
  });
});

function sampleOf(kind: string, size: SampleName): JsonObject {
  const sample = kindSample(kind, size);
  return { ...sample, metadata: { ...sample.metadata, managedFields: undefined } };
}

/** Changes to a value; most values are unchanged. */
const KEEP = 12;
const LEAVE_OUT = 13;
const NULL = 14;
const EMPTY = 15;
const TWICE = 16;
const STRANGE = 17;

/** Changes parts of the value by `choose`. Adds map entries whose names need escapes, and repeats list elements. */
function changed(value: JsonValue, choose: () => number): JsonValue {
  if (isArray(value)) {
    return value.flatMap((element) => {
      const choice = choose();
      if (choice === LEAVE_OUT) return [];
      const part = changed(element, choose);
      return choice === TWICE ? [part, part, changed(element, choose)] : [part];
    });
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    const choice = choose();
    if (choice === LEAVE_OUT || member === undefined) return [];
    if (choice === NULL) return [[name, null]];
    if (choice === EMPTY) return [[name, emptied(member)]];
    if (choice === STRANGE) return [[name, changed(member, choose)], [`${name}<"\\ü&>`, changed(member, choose)]]; // prettier-ignore
    return [[name, changed(member, choose)]];
  });
  return Object.fromEntries(members);
}

function emptied(value: JsonValue): JsonValue {
  if (isArray(value)) return [];
  if (isJsonObject(value)) return {};
  return typeof value === 'string' ? '' : typeof value === 'number' ? 0 : false;
}

describe('InitialManagedFields', () => {
  it(
    'gives the same entries as recordUpdate',
    () => {
      let owned = 0;
      fc.assert(
        fc.property(
          fc.constantFrom(...subjects),
          fc.array(fc.nat(STRANGE), { minLength: 5, maxLength: 200 }),
          ({ sample, codec, shape, create, emptyDocument, initialManagedFields }, answers) => {
            let at = 0;
            const choose = () => answers[at++ % answers.length] ?? KEEP;
            const body = { ...(changed(sample, choose) as JsonObject), kind: sample['kind'], apiVersion: sample['apiVersion'] };
            const decoded = decodedBody(codec, body);
            fc.pre(decoded !== undefined);
            const change = { before: emptyDocument, after: toDocument(shape, decoded) };
            const expected = encodeManagedFields(recordUpdate(create, change, NO_MANAGED_FIELDS, WRITER));
            const entries = encodeManagedFields(initialManagedFields.create(WRITER, decoded));
            expect(entries?.map(text)).toEqual(expected?.map(text));
            owned += entries?.length ?? 0;
          },
        ),
        { ...propertyRuns(600), maxSkipsPerRun: 1000 },
      );
      expect(owned).toBeGreaterThan(100);
    },
    propertyTimeoutMs,
  );
});

const text = (entry: object): string => writeJson(entry as JsonObject);

/** `undefined` if the changes made a value that the codec cannot take. */
function decodedBody(codec: ReturnType<typeof createObjectCodec>, body: JsonObject): JsonObject | undefined {
  const { object } = codec.decodeBody(Buffer.from(writeJson(body)));
  return isJsonObject(object['metadata'] ?? {}) ? { ...object, metadata: object['metadata'] ?? {} } : undefined;
}
