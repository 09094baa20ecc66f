/** What the server makes of one JSON value in a field of a scalar type. */
import type { JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { parseJson } from '../../pkg/apimachinery/json/parse-json.ts';
import type { RawJson } from '../../pkg/apimachinery/json/raw-json.ts';
import type { ScalarShape } from '../../pkg/apis/type-shape.ts';
import { compileShape } from '../../pkg/schema/decode.ts';

/** Undefined: it is refused. Null: it counts as absent. `isValid` is the check of the compiled validators. */
export function decodeScalar(shape: ScalarShape['shape'], isValid: (value: unknown) => boolean, token: RawJson): JsonValue | undefined {
  const { value, causes } = parseJson(token.bytes, compileShape({ shape }));
  return causes.length === 0 && (value === null || isValid(value)) ? value : undefined;
}
