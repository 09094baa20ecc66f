import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { openRaw, parseJson } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isArray, isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { applyJsonPatch } from './apply-json-patch.ts';
import { formatPointer } from './json-pointer.ts';
import { parseJsonPatch } from './parse-json-patch.ts';

const NAMES = ['a', 'b', '0', '', 'm~n/', '__proto__', 'constructor', 'prototype', '\0__proto__', 'toString', 'length'];
const name = fc.constantFrom(...NAMES);
const token = fc.constantFrom('0', '1', '1.0', '-0', '1e2', '9007199254740993', '""', '"é<"', 'null', 'true');
const objectText = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
const { text: valueText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'json' },
    token,
    fc.array(tie('text'), { maxLength: 3, depthIdentifier: 'json' }).map((elements) => `[${elements.join(',')}]`),
    fc.array(fc.tuple(name, tie('text')), { maxLength: 3, depthIdentifier: 'json' }).map(objectText),
  ),
}));

const steps = fc.array(fc.oneof(name, fc.constantFrom('0', '1', '-', '-1', '00')), { maxLength: 3 });
const operationText = fc
  .record({ op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), path: steps, from: steps, value: valueText })
  .map(
    ({ op, path, from, value }) =>
      `{"op":"${op}","path":${JSON.stringify(formatPointer(path))},"from":${JSON.stringify(formatPointer(from))},"value":${value}}`,
  );

/** An object with raw or decoded members; both must behave alike. */
const documentText = fc.array(fc.tuple(name, valueText), { maxLength: 4 }).map(objectText);
const opened = (text: string): JsonObject => asObject(parseJson(Buffer.from(text), undefined, 'tokens').value);
const withRawMembers = (text: string): JsonObject =>
  asObject(parseJson(Buffer.from(text), { form: 'map', values: { form: 'raw', zero: null }, zero: null }).value);

function asObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new Error('not an object');
  return value;
}

const patchOf = (operations: readonly string[]) => parseJsonPatch(Buffer.from(`[${operations.join(',')}]`));

/** The result in canonical form, or that it was rejected. Rethrows anything but a StatusError. */
function outcome(document: JsonObject, operations: readonly string[]): string {
  try {
    return canonical(applyJsonPatch(document, patchOf(operations)));
  } catch (error) {
    if (error instanceof StatusError) return 'refused';
    throw error;
  }
}

/** Sorts members by name and decodes raw values; number spellings stay. */
function canonical(value: JsonValue): string {
  const decoded = openRaw(value);
  if (isArray(decoded)) return `[${decoded.map(canonical).join(',')}]`;
  if (!isJsonObject(decoded)) return writeJson(decoded);
  const members = Object.keys(decoded).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(decoded[key] ?? null)}`).join(',')}}`;
}

describe('Any JSON patch', () => {
  it('equals its operations applied one by one, with and without raw values', () => {
    fc.assert(
      fc.property(documentText, fc.array(operationText, { minLength: 1, maxLength: 6 }), (text, operations) => {
        let oneByOne: string = canonical(opened(text));
        for (const operation of operations) {
          // A list as document accepts no further patch.
          if (!oneByOne.startsWith('{')) return;
          oneByOne = outcome(opened(oneByOne), [operation]);
        }
        expect(outcome(opened(text), operations)).toBe(oneByOne);
        expect(outcome(withRawMembers(text), operations)).toBe(oneByOne);
      }),
      { numRuns: 1000 },
    );
  });

  it('modifies neither the document, nor the patch, nor any prototype', () => {
    const prototypes = [Object.prototype, Array.prototype, RawJson.prototype];
    const before = prototypes.map((prototype) => Reflect.ownKeys(prototype));
    fc.assert(
      fc.property(documentText, fc.array(operationText, { maxLength: 6 }), (text, operations) => {
        const document = withRawMembers(text);
        const patch = patchOf(operations);
        const written = writeJson(document);
        const values = patch.operations.map((operation) => ('value' in operation ? writeJson(operation.value) : ''));
        try {
          applyJsonPatch(document, patch);
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
        }
        expect(writeJson(document)).toBe(written);
        expect(patch.operations.map((operation) => ('value' in operation ? writeJson(operation.value) : ''))).toEqual(values);
      }),
      { numRuns: 500 },
    );
    expect(prototypes.map((prototype) => Reflect.ownKeys(prototype))).toEqual(before);
  });

  it('fails only with a StatusError, whatever its bytes are', () => {
    const member = fc.oneof(
      valueText,
      name.map((each) => JSON.stringify(each)),
      steps.map((each) => JSON.stringify(formatPointer(each))),
    );
    const hostile = fc.array(
      fc.array(fc.tuple(fc.constantFrom('op', 'path', 'from', 'value', 'x'), member), { maxLength: 5 }).map(objectText),
    );
    fc.assert(
      fc.property(
        documentText,
        fc.oneof(
          hostile.map((each) => `[${each.join(',')}]`),
          valueText,
          fc.string(),
        ),
        (text, patch) => {
          try {
            applyJsonPatch(opened(text), parseJsonPatch(Buffer.from(patch)));
          } catch (error) {
            if (!(error instanceof StatusError)) throw error;
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('A value at a path', () => {
  const place = fc.tuple(name, valueText).map(([path, value]) => ({ path: JSON.stringify(formatPointer(['o', path])), value }));
  const holding = (text: string) => opened(`{"o":${text}}`);

  it('is present after add, absent after remove, and unchanged after move and back', () => {
    fc.assert(
      fc.property(documentText, place, (text, { path, value }) => {
        const add = `{"op":"add","path":${path},"value":${value}}`;
        const added = outcome(holding(text), [add]);
        expect(outcome(holding(text), [add, `{"op":"test","path":${path},"value":${value}}`])).toBe(added);
        const removed = outcome(holding(text), [add, `{"op":"remove","path":${path}}`]);
        expect(outcome(opened(removed), [`{"op":"remove","path":${path}}`])).toBe('refused');
        expect(
          outcome(holding(text), [add, `{"op":"move","from":${path},"path":"/tmp"}`, `{"op":"move","from":"/tmp","path":${path}}`]),
        ).toBe(added);
        expect(
          outcome(holding(text), [add, `{"op":"copy","from":${path},"path":"/tmp"}`, `{"op":"test","path":"/tmp","value":${value}}`]),
        ).not.toBe('refused');
      }),
      { numRuns: 300 },
    );
  });
});
