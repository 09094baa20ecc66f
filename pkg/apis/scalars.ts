/** Scalars of the API in a decoded object. `pkg/schema` checks their syntax. */
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import type { RawJson } from '../apimachinery/json/raw-json.ts';

/** A `bigint` only if a double cannot represent the number. */
export type Int64 = number | bigint;
/** RFC 3339. */
export type Time = string;
/** RFC 3339 with six fractional digits. */
export type MicroTime = string;
/** Such as `1h30m`. */
export type Duration = string;
/** Such as `1500m` or `1Gi`. A JSON number is decoded to its text. */
export type Quantity = string;
export type IntOrString = number | string;
/** Base64 text. */
export type Bytes = string;
/** Any JSON, kept token for token. */
export type Raw = RawJson;
/** Kept token for token if a client sent it. */
export type FieldsV1 = RawJson | JsonObject;
export type AnyJson = JsonValue;
