/** The short way from a created object to its owners gives the very bytes that the long way does. */
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
import { NewFields } from './new-fields.ts';
import { recordUpdate } from './record-update.ts';
import { trackedPaths } from './tracked-path.ts';

const WRITER = { manager: 'alice', subresource: '', time: '2026-03-14T00:00:00Z' };

const subjects = SAMPLE_KINDS.flatMap((kind) => {
  const { shape, definition } = kind;
  const codec = createObjectCodec(shape);
  const { create } = trackedPaths(kind);
  const nothing = toDocument(shape, { kind: definition.kind, apiVersion: definition.apiVersion, metadata: {} });
  const newFields = new NewFields(create, nothing);
  return SAMPLE_NAMES.map((size) => {
    const name = `${size} ${definition.kind}`;
    return { name, shape, codec, create, nothing, newFields, sample: sampleOf(definition.kind, size), toString: () => name };
  });
});

function sampleOf(kind: string, size: SampleName): JsonObject {
  const sample = kindSample(kind, size);
  return { ...sample, metadata: { ...sample.metadata, managedFields: undefined } };
}

/** What is done to a value: most stay. */
const KEEP = 12;
const LEAVE_OUT = 13;
const NULL = 14;
const EMPTY = 15;
const TWICE = 16;
const STRANGE = 17;

/** The value with its parts changed as `choose` says. Names of map entries get what must be escaped, and lists elements a second time. */
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

describe('the owner of what is created', () => {
  it(
    'has what the general way of telling gives it',
    () => {
      let owned = 0;
      fc.assert(
        fc.property(
          fc.constantFrom(...subjects),
          fc.array(fc.nat(STRANGE), { minLength: 5, maxLength: 200 }),
          ({ sample, codec, shape, create, nothing, newFields }, answers) => {
            let at = 0;
            const choose = () => answers[at++ % answers.length] ?? KEEP;
            const body = { ...(changed(sample, choose) as JsonObject), kind: sample['kind'], apiVersion: sample['apiVersion'] };
            const decoded = decodedBody(codec, body);
            fc.pre(decoded !== undefined);
            const change = { before: nothing, after: toDocument(shape, decoded) };
            const expected = encodeManagedFields(recordUpdate(create, change, NO_MANAGED_FIELDS, WRITER));
            const entries = encodeManagedFields(newFields.ownedBy(WRITER, decoded));
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

/** `undefined` when a change has made a value of it that the type cannot take. */
function decodedBody(codec: ReturnType<typeof createObjectCodec>, body: JsonObject): JsonObject | undefined {
  const { object } = codec.decodeBody(Buffer.from(writeJson(body)));
  return isJsonObject(object['metadata'] ?? {}) ? { ...object, metadata: object['metadata'] ?? {} } : undefined;
}
