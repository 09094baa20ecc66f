import { expect } from '@jest/globals';
import type { RawJson } from '../../pkg/apimachinery/json/raw-json.ts';
import { compareQuantities, isQuantity, normalizeQuantity, parseQuantity } from '../../pkg/apimachinery/quantity/quantity.ts';
import { isQuantity as isQuantityValue } from '../../pkg/schema/scalar-checks.ts';
import { decodeScalar } from './decode-scalar.ts';
import { runnerOf, unknownInput } from './vector.ts';

interface QuantityVector {
  readonly input?: string;
  readonly a?: string;
  readonly b?: string;
  readonly expectedCanonical?: string;
  readonly expectedFormat?: string;
  readonly expectedSign?: number;
  readonly expectedValueCeil?: string;
  readonly expectedMilliValueCeil?: string;
  readonly expectedJSON?: string;
  readonly expectedCompare?: number;
  readonly expectError?: boolean;
}

const NANO = 1_000_000_000n;

export const quantity = runnerOf<QuantityVector>((vector, { inputJSON }) => {
  const { input, a, b } = vector;
  if (input !== undefined) parses(input, vector);
  else if (inputJSON !== undefined) decodes(inputJSON, vector);
  else if (a !== undefined && b !== undefined) compares(a, b, vector);
  else throw unknownInput();
});

function parses(input: string, vector: QuantityVector): void {
  const { expectedCanonical, expectedFormat, expectedSign, expectedValueCeil, expectedMilliValueCeil, expectedJSON, expectError } = vector;
  const parsed = parseQuantity(input);
  expect(isQuantity(input)).toBe(expectError !== true);
  expect(normalizeQuantity(input)).toBe(expectedCanonical);
  expect(parsed?.canonical).toBe(expectedCanonical);
  if (parsed === undefined) return;
  expect(parsed.canonical).toBe(expectedJSON);
  expect(parsed.format).toBe(expectedFormat);
  expect(parsed.nanos === 0n ? 0 : parsed.nanos < 0n ? -1 : 1).toBe(expectedSign);
  expectCounted(parsed.nanos, NANO, expectedValueCeil);
  expectCounted(parsed.nanos, NANO / 1000n, expectedMilliValueCeil);
}

/** Go's overflow is not ours: amounts that no 64 bits hold are not compared. */
function expectCounted(nanos: bigint, unit: bigint, expected: string | undefined): void {
  const awayFromZero = nanos < 0n ? -((-nanos + unit - 1n) / unit) : (nanos + unit - 1n) / unit;
  if (BigInt.asIntN(64, awayFromZero) === awayFromZero) expect(String(awayFromZero)).toBe(expected);
}

function decodes(inputJSON: RawJson, { expectedJSON, expectError }: QuantityVector): void {
  const decoded = decodeScalar('quantity', isQuantityValue, inputJSON);
  expect(decoded === undefined).toBe(expectError === true);
  expect(decoded).toBe(expectedJSON);
}

function compares(a: string, b: string, { expectedCompare }: QuantityVector): void {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  expect(left && right && compareQuantities(left, right)).toBe(expectedCompare);
}
