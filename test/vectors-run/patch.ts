/** What the vectors of patches have in common. */
import { expect } from '@jest/globals';
import type { JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { parseJson } from '../../pkg/apimachinery/json/parse-json.ts';
import { writeJson } from '../../pkg/apimachinery/json/write-json.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';

export interface PatchVector {
  readonly expected?: JsonValue;
  readonly expectError?: boolean;
}

/** Compares what `patch` gives by value, as it would be written; a refusal is a StatusError. */
export function expectPatched({ expected, expectError }: PatchVector, patch: () => JsonValue): void {
  if (expectError === true) expect(patch).toThrow(StatusError);
  else expect(parseJson(Buffer.from(writeJson(patch()))).value).toEqual(expected);
}
