/** The body of a server-side apply: a partial object in YAML or JSON. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import { findingText, strictDecodingErrorText } from '../../schema/decode.ts';
import type { ResourceCall, ServedResource } from './resource-call.ts';
import type { FieldValidation } from './write-options.ts';

/**
 * `json`: the body as JSON. Returns the object as sent; fields of raw values keep the original tokens. Throws
 * BadRequest unless it is an object, and for duplicate members under strict validation. Unknown fields are found by the
 * apply.
 */
export function parseConfiguration({ context, resource }: ResourceCall, json: Buffer, fieldValidation: FieldValidation): JsonObject {
  const { value: sent, findings } = parseJson(json);
  const value = sent ?? {};
  if (!isJsonObject(value)) throw badRequest('the configuration to apply is not an object');
  if (fieldValidation === 'Strict' && findings.length > 0) throw badRequest(strictDecodingErrorText(findings));
  if (fieldValidation === 'Warn') for (const finding of findings) context.warn(findingText(finding));
  return withRawValues(resource, value, json);
}

/** In kinds with raw values these are top-level fields. */
function withRawValues({ kind: { shape }, codec }: ServedResource, config: JsonObject, json: Buffer): JsonObject {
  const names = shape.fields.filter(({ name, type }) => type.shape === 'raw' && Object.hasOwn(config, name)).map(({ name }) => name);
  if (names.length === 0) return config;
  const { object } = codec.decodeBody(json);
  return { ...config, ...Object.fromEntries(names.map((name) => [name, object[name] ?? null])) };
}
