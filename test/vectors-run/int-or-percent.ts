import { expect } from '@jest/globals';
import { checkPercent, scaledValue } from '../../pkg/apimachinery/int-or-string/int-or-percent.ts';
import { isIntOrString } from '../../pkg/schema/scalar-checks.ts';
import { decodeScalar } from './decode-scalar.ts';
import { runnerOf, unknownInput } from './vector.ts';

interface IntOrPercentVector {
  readonly value?: number | string;
  readonly total?: number;
  readonly roundUp?: boolean;
  readonly expected?: number;
  readonly expectedValidPercentString?: boolean;
  readonly expectedJSON?: number | string;
  readonly expectError?: boolean;
}

export const intOrPercent = runnerOf<IntOrPercentVector>((vector, { inputJSON }) => {
  const { value, total, roundUp, expected, expectedValidPercentString, expectedJSON, expectError } = vector;
  if (inputJSON !== undefined) {
    const decoded = decodeScalar('int-or-string', isIntOrString, inputJSON);
    expect(decoded === undefined).toBe(expectError === true);
    expect(decoded).toBe(expectedJSON);
  } else if (value !== undefined && total !== undefined) {
    const scaled = scaledValue(value, total, roundUp === true ? 'up' : 'down');
    expect(scaled === undefined).toBe(expectError === true);
    expect(scaled).toBe(expected);
    expect(typeof value === 'string' && checkPercent(value).length === 0).toBe(expectedValidPercentString);
  } else {
    throw unknownInput();
  }
});
