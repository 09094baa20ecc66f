import { expect } from '@jest/globals';
import { formatDuration, parseDuration } from '../../pkg/apimachinery/time/duration.ts';
import { isDuration } from '../../pkg/schema/scalar-checks.ts';
import { decodeScalar } from './decode-scalar.ts';
import { runnerOf, unknownInput } from './vector.ts';

interface DurationVector {
  readonly input?: string;
  readonly expectedJSON?: string;
  readonly expectedNanoseconds?: string;
  readonly expectError?: boolean;
}

export const duration = runnerOf<DurationVector>(({ input, expectedJSON, expectedNanoseconds, expectError }, { inputJSON }) => {
  if (input !== undefined) {
    const parsed = parseDuration(input);
    expect(parsed === undefined).toBe(expectError === true);
    expect(parsed?.toString()).toBe(expectedNanoseconds);
    if (parsed !== undefined) expect(formatDuration(parsed)).toBe(expectedJSON);
  } else if (inputJSON !== undefined) {
    const decoded = decodeScalar('duration', isDuration, inputJSON);
    expect(decoded === undefined).toBe(expectError === true);
    const parsed = typeof decoded === 'string' ? parseDuration(decoded) : undefined;
    if (parsed !== undefined) expect(formatDuration(parsed)).toBe(expectedJSON);
  } else {
    throw unknownInput();
  }
});
