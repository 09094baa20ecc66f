import { expect } from '@jest/globals';
import { parseJson } from '../../pkg/apimachinery/json/parse-json.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { createValidator } from '../../pkg/schema/validator.ts';
import { runnerOf } from './vector.ts';

interface StrictVector {
  readonly kind: string;
  readonly inputText: string;
  readonly expectedStrict?: readonly { readonly kind: string; readonly path: string }[];
  /** As Go writes it. */
  readonly expectedDecoded?: unknown;
  readonly expectError?: boolean;
}

const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });

export const strictDecoding = runnerOf<StrictVector>(({ kind, inputText, expectedStrict, expectError }, { expectedDecoded }) => {
  const found = kinds.find(({ definition }) => definition.kind === kind);
  if (found === undefined) throw new Error(`There is no kind ${kind}.`);
  const codec = createObjectCodec(found.shape);
  const decode = () => {
    const { object, findings, causes } = codec.decodeBody(Buffer.from(inputText));
    return { object, findings, wrong: [...causes, ...createValidator(found.shape).typeErrors(object)] };
  };
  if (expectError === true) {
    expect(isRefused(decode)).toBe(true);
    return;
  }
  const { object, findings, wrong } = decode();
  expect(wrong).toEqual([]);
  expect(findings).toEqual(expectedStrict);
  expect(parseJson(codec.encode(object)).value).toEqual(parseJson(expectedDecoded?.bytes ?? Buffer.alloc(0)).value);
});

function isRefused(decode: () => { readonly wrong: readonly unknown[] }): boolean {
  try {
    return decode().wrong.length > 0;
  } catch (error) {
    if (error instanceof StatusError) return true;
    throw error;
  }
}
