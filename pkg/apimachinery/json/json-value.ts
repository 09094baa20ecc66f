/** JSON values as this server holds them: lossless. */
import type { RawJson } from './raw-json.ts';

/**
 * An integer that a double does not reproduce is a `bigint`. A value that must be kept token for token is a `RawJson`.
 * Objects are shared and read-only; keys such as `__proto__` are ordinary data and always own properties.
 */
export type JsonValue = null | boolean | number | bigint | string | RawJson | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}
