/** Lossless JSON values. */
import type { RawJson } from './raw-json.ts';

/**
 * An integer that a double does not reproduce is a `bigint`; a value to be preserved token by token is a `RawJson`.
 * Objects are shared and read-only; keys such as `__proto__` are ordinary own properties.
 */
export type JsonValue = null | boolean | number | bigint | string | RawJson | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}
