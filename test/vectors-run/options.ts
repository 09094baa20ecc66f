import { expect } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { createFeatures } from '../../pkg/apimachinery/features/features.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { createDeleteOptionsReader, parseDeleteOptions } from '../../pkg/server/handlers/delete-options.ts';
import { parsePatchOptions } from '../../pkg/server/handlers/patch-options.ts';
import { parseWriteOptions } from '../../pkg/server/handlers/write-options.ts';
import { parseQuery } from '../../pkg/server/filters/query.ts';
import { runnerOf, unknownInput } from './vector.ts';

interface OptionVector {
  readonly option: string;
  readonly input: JsonValue;
  readonly contentType?: string;
  readonly expectedValid: boolean;
}

const USER_AGENT = 'kubectl/v1.36.0 (linux)';
/** Off, it ignores the option that the vectors are about. */
const FEATURES = createFeatures(new Map([['AllowUnsafeMalformedObjectDeletion', true]]));

export const options = runnerOf<OptionVector>((vector) => {
  const { option, input, expectedValid } = vector;
  // A negative grace period is refused, as specified; Kubernetes takes it.
  const isOurs = option === 'deleteOptions' && Number(objectOf(input)['gracePeriodSeconds'] ?? 0) < 0;
  expect(isTaken(() => parse(vector))).toBe(expectedValid && !isOurs);
});

function parse({ option, input, contentType = '' }: OptionVector): unknown {
  switch (option) {
    case 'fieldManager':
    case 'fieldValidation':
      return parseWriteOptions(queryOf({ [option]: input }), USER_AGENT, 'CreateOptions');
    case 'dryRun':
      return parseWriteOptions(queryOf({ dryRun: input }), USER_AGENT, 'CreateOptions');
    case 'patchOptions':
      // In CBOR, too, which the handler does not read.
      return parsePatchOptions(queryOf(objectOf(input)), USER_AGENT, { isApply: contentType.startsWith('application/apply-patch') });
    case 'deleteOptions':
      return parseDeleteOptions(
        { encoding: 'json', bytes: Buffer.from(JSON.stringify(input)) },
        parseQuery(''),
        createDeleteOptionsReader(),
        FEATURES,
      );
    default:
      throw unknownInput();
  }
}

/** A list says its parameter once for each element. */
const queryOf = (parameters: JsonObject) =>
  parseQuery(
    Object.entries(parameters)
      .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((each) => `${name}=${encodeURIComponent(String(each))}`))
      .join('&'),
  );

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

function isTaken(run: () => unknown): boolean {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
  return true;
}
