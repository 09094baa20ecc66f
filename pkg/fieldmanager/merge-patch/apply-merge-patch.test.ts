import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { applyMergePatch, parseMergePatch } from './apply-merge-patch.ts';

const parse = (text: string): JsonValue => parseJson(Buffer.from(text)).value;
const patchOf = (text: string): JsonObject => parseMergePatch(Buffer.from(text)).patch;
const merged = (document: string, patch: string): string => writeJson(applyMergePatch(parse(document), patchOf(patch)));

describe('applyMergePatch', () => {
  // The first thirteen are from RFC 7386, appendix A.
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{"a":1}', '{}', '{"a":1}'],
    ['5', '{"a":1}', '{"a":1}'],
    ['{"a":null}', '{"a":{"b":null,"c":1}}', '{"a":{"c":1}}'],
    ['{"a":1}', '{"a":{"b":null,"c":[null]}}', '{"a":{"c":[null]}}'],
    ['{"a":9007199254740993}', '{"b":9007199254740995}', '{"a":9007199254740993,"b":9007199254740995}'],
  ])('merges %s and %s to %s', (document, patch, expected) => {
    expect(merged(document, patch)).toBe(expected);
  });

  it.each([
    ['{"a":[1]}', '{"a":[{"b":null,"c":[{"d":null}]},null]}', '{"a":[{"c":[{}]},null]}'],
    ['{}', '{"a":[{"b":null}]}', '{"a":[{}]}'],
    ['{"a":{"x":1}}', '{"a":[{"b":null}]}', '{"a":[{"b":null}]}'],
  ])('drops nulls inside lists unless the list replaces an object, as Kubernetes does: %s and %s', (document, patch, expected) => {
    expect(merged(document, patch)).toBe(expected);
  });

  it('treats names such as __proto__ as data', () => {
    expect(merged('{"__proto__":{"a":1}}', '{"__proto__":{"b":2},"constructor":{"prototype":{"x":1}}}')).toBe(
      '{"__proto__":{"a":1,"b":2},"constructor":{"prototype":{"x":1}}}',
    );
    expect(merged('{}', '{"__proto__":{"x":1},"toString":null}')).toBe('{"__proto__":{"x":1}}');
    expect(merged('{"__proto__":1}', '{"__proto__":null}')).toBe('{}');
    expect('x' in {}).toBe(false);
  });

  it('keeps the spelling of numbers, and unchanged raw values', () => {
    const data = new RawJson(Buffer.from('{"a":1.0,"b":{"c":1e2}}'));
    const kept = new RawJson(Buffer.from('{"x":{}}'));
    const result = applyMergePatch({ data, kept, list: data }, patchOf('{"data":{"b":{"d":-0}},"kept":{"x":{},"y":null},"list":[2.50]}'));
    expect(writeJson(result)).toBe('{"data":{"a":1.0,"b":{"c":1e2,"d":-0}},"kept":{"x":{}},"list":[2.50]}');
    expect(result['kept']).toBe(kept);
  });

  it('returns the same objects where nothing changes', () => {
    const document = { metadata: { name: 'a', labels: { x: '1' } }, spec: { n: 1, list: [1] } };
    expect(applyMergePatch(document, patchOf('{}'))).toBe(document);
    expect(applyMergePatch(document, patchOf('{"spec":{"n":1,"zzz":null},"metadata":{"labels":{}}}'))).toBe(document);
    const changed = applyMergePatch(document, patchOf('{"spec":{"n":2}}'));
    expect(changed['metadata']).toBe(document.metadata);
    expect(document.spec.n).toBe(1);
  });
});

describe('parseMergePatch', () => {
  it.each(['null', '[]', '[{}]', '5', '"a"', 'true'])('answers 400 to %s', (text) => {
    expect(() => parseMergePatch(Buffer.from(text))).toThrow(
      expect.objectContaining({ reason: 'BadRequest', message: 'the merge patch is not an object' }),
    );
  });

  it('reports repeated members', () => {
    expect(parseMergePatch(Buffer.from('{"a":{"b":1,"b":2}}'))).toEqual({
      patch: { a: { b: 2 } },
      findings: [{ kind: 'duplicate', path: 'a.b' }],
    });
  });
});

describe('Any merge patch', () => {
  const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '');
  const token = fc.constantFrom('0', '1.0', '9007199254740993', '"x"', 'true', 'null');
  const objectText = (members: readonly (readonly [string, string])[]) =>
    `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
  const { text } = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'json' },
      token,
      // RFC 7386 and Kubernetes differ for nulls inside lists.
      fc.array(token, { maxLength: 2 }).map((elements) => `[${elements.join(',')}]`),
      fc.array(fc.tuple(name, tie('text')), { maxLength: 3, depthIdentifier: 'json' }).map(objectText),
    ),
  }));
  const patchText = fc.array(fc.tuple(name, text), { maxLength: 4 }).map(objectText);

  /** The algorithm of RFC 7386, section 2, literally. */
  function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
    if (!isJsonObject(patch)) return patch;
    const result: Record<string, JsonValue> = {};
    if (isJsonObject(target)) for (const key of Object.keys(target)) setMember(result, key, target[key] ?? null);
    for (const key of Object.keys(patch)) {
      const value = patch[key] ?? null;
      if (value !== null) setMember(result, key, mergePatch(Object.hasOwn(result, key) ? (result[key] ?? null) : null, value));
      else Reflect.deleteProperty(result, key);
    }
    return result;
  }

  const sorted = (value: JsonValue): JsonValue => {
    if (isArray(value)) return value.map(sorted);
    if (!isJsonObject(value)) return value;
    const object: Record<string, JsonValue> = {};
    for (const key of Object.keys(value).sort()) setMember(object, key, sorted(value[key] ?? null));
    return object;
  };

  it('matches the algorithm of the RFC, is idempotent, and modifies no argument', () => {
    const prototype = Reflect.ownKeys(Object.prototype);
    fc.assert(
      fc.property(text, patchText, (document, patch) => {
        const given = parse(document);
        const change = patchOf(patch);
        const result = applyMergePatch(given, change);
        expect(writeJson(sorted(result))).toBe(writeJson(sorted(mergePatch(parse(document), patchOf(patch)))));
        expect(applyMergePatch(result, change)).toEqual(result);
        expect([writeJson(given), writeJson(change)]).toEqual([writeJson(parse(document)), writeJson(patchOf(patch))]);
      }),
      { numRuns: 1000 },
    );
    expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype);
  });

  it('gives the same result with and without raw values', () => {
    fc.assert(
      fc.property(patchText, patchText, (document, patch) => {
        const raw = parseJson(Buffer.from(document), { form: 'map', values: { form: 'raw', zero: null }, zero: null }).value;
        const opened = parseJson(Buffer.from(document), undefined, 'tokens').value;
        const written = writeJson(applyMergePatch(raw, patchOf(patch)));
        expect(writeJson(sorted(parse(written)))).toBe(writeJson(sorted(parse(writeJson(applyMergePatch(opened, patchOf(patch)))))));
      }),
      { numRuns: 500 },
    );
  });
});
