import { expect } from '@jest/globals';
import type { RawJson } from '../../pkg/apimachinery/json/raw-json.ts';
import { normalizeMicroTime, normalizeTime, toRfc3339Micros, toRfc3339Seconds } from '../../pkg/apimachinery/time/rfc3339.ts';
import { isMicroTime, isTime } from '../../pkg/schema/scalar-checks.ts';
import { decodeScalar } from './decode-scalar.ts';
import { runnerOf, unknownInput } from './vector.ts';

interface TimeVector {
  readonly kind?: 'Time' | 'MicroTime';
  readonly seconds?: number;
  readonly nanos?: number;
  readonly expectedJSON?: string | null;
  readonly expectedIsZero?: boolean;
  readonly expectedTime?: string;
  readonly expectedMicroTime?: string;
  readonly expectError?: boolean;
}

const NANOS_OF_MS = 1e6;

export const time = runnerOf<TimeVector>((vector, { inputJSON }) => {
  const { seconds, nanos } = vector;
  if (inputJSON !== undefined) decodes(inputJSON, vector);
  else if (seconds !== undefined && nanos !== undefined) formats(seconds, nanos, vector);
  else throw unknownInput();
});

function decodes(inputJSON: RawJson, { kind, expectedJSON, expectedIsZero, expectError }: TimeVector): void {
  const decoded = kind === 'MicroTime' ? decodeScalar('micro-time', isMicroTime, inputJSON) : decodeScalar('time', isTime, inputJSON);
  expect(decoded === undefined).toBe(expectError === true);
  expect(decoded).toBe(expectedJSON);
  if (decoded !== undefined) expect(decoded === null).toBe(expectedIsZero);
}

function formats(seconds: number, nanos: number, { expectedTime, expectedMicroTime }: TimeVector): void {
  const ms = seconds * 1000;
  const text = `${toRfc3339Seconds(ms).slice(0, -1)}.${String(nanos).padStart(9, '0')}Z`;
  expect(normalizeTime(text)).toBe(expectedTime);
  expect(normalizeMicroTime(text)).toBe(expectedMicroTime);
  // Milliseconds are what the clock gives.
  if (nanos % NANOS_OF_MS !== 0) return;
  expect(toRfc3339Seconds(ms + nanos / NANOS_OF_MS)).toBe(expectedTime);
  expect(toRfc3339Micros(ms + nanos / NANOS_OF_MS)).toBe(expectedMicroTime);
}
