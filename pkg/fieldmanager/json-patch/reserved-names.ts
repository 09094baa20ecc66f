/**
 * Escapes member names that fast-json-patch rejects, by the prefix U+0000 while a patch is applied. Names that look
 * escaped already get one more.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';

const RESERVED = /^\0*(?:__proto__|constructor|prototype)$/;

export const isReservedName = (name: string): boolean => RESERVED.test(name);

/** Returns any other name unchanged. */
export const escapeReservedName = (name: string): string => (isReservedName(name) ? `\0${name}` : name);

/** The inverse of `escapeReservedName`. */
export const unescapeReservedName = (name: string): string => (name.startsWith('\0') && isReservedName(name) ? name.slice(1) : name);

/** A copy with the keys that `rename` returns. */
export function renameMembers(object: JsonObject, rename: (name: string) => string): Record<string, JsonValue | undefined> {
  const renamed: Record<string, JsonValue | undefined> = {};
  for (const name of Object.keys(object)) setMember(renamed, rename(name), object[name]);
  return renamed;
}
