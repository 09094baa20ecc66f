import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isJsonObject } from '../apimachinery/json/write-json.ts';
import { parseJson } from '../apimachinery/json/parse-json.ts';
import { compactText } from '../apimachinery/json/raw-json.ts';
import { createKinds } from '../apis/kinds.gen.ts';
import { createObjectCodec } from './object-codec.ts';

const kinds = createKinds({ groupSuffix: 'k8s.io' });
const codecOf = (kind: string) => {
  const found = kinds.find(({ definition }) => definition.kind === kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return createObjectCodec(found.shape);
};

const vectors = new URL('../../test/vectors/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, vectors), 'utf8');

/** Without the resourceVersion of the object itself. */
const expectedBytes = (sample: string) =>
  compactText(sample).replace(/("metadata":\{(?:"[a-zA-Z]+":"[^"]*",)*?)"resourceVersion":"[^"]*",/, '$1');

describe('ObjectCodec', () => {
  for (const { definition } of kinds) {
    for (const variant of ['minimal', 'full', 'realistic']) {
      it(`writes the ${variant} ${definition.kind} as Go does`, () => {
        const sample = read(`samples/${definition.kind.toLowerCase()}.${variant}.json`);
        const codec = codecOf(definition.kind);
        const { object, findings, causes } = codec.decodeBody(Buffer.from(sample));
        expect(findings).toEqual([]);
        expect(causes).toEqual([]);
        const written = codec.encode(object);
        expect(written.toString()).toBe(expectedBytes(sample));
        expect(codec.encode(codec.parseStored(written)).equals(written)).toBe(true);
      });
    }
  }
});

interface StrictVector {
  readonly name: string;
  readonly kind: string;
  readonly inputText: string;
  readonly expectedStrict?: readonly { readonly kind: string; readonly path: string }[];
  readonly expectedDecoded?: unknown;
  readonly expectError?: boolean;
}

describe('strict decoding', () => {
  const strict = JSON.parse(read('strict-decoding.json')) as readonly StrictVector[];
  for (const { name, kind, inputText, expectedStrict, expectedDecoded, expectError } of strict) {
    if (expectError === true) continue;
    it(name, () => {
      const codec = codecOf(kind);
      const { object, findings } = codec.decodeBody(Buffer.from(inputText));
      expect(findings).toEqual(expectedStrict);
      expect(JSON.parse(codec.encode(object).toString())).toEqual(expectedDecoded);
      expect(isJsonObject(parseJson(codec.encode(object)).value)).toBe(true);
    });
  }
});
