/**
 * The spelling of member names that fast-json-patch refuses or that mean something to JavaScript: while it works on an object they
 * have a U+0000 in front. A name that has the private spelling already gets one more, so that no two names ever meet.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';

const RESERVED = /^\0*(?:__proto__|constructor|prototype)$/;

export const isReservedName = (name: string): boolean => RESERVED.test(name);

/** Every other name stays as it is. */
export const toPrivateName = (name: string): string => (isReservedName(name) ? `\0${name}` : name);

/** The reverse of `toPrivateName`. */
export const toPublicName = (name: string): string => (name.startsWith('\0') && isReservedName(name) ? name.slice(1) : name);

/** A copy whose members are called as `rename` says. */
export function withNames(object: JsonObject, rename: (name: string) => string): Record<string, JsonValue | undefined> {
  const renamed: Record<string, JsonValue | undefined> = {};
  for (const name of Object.keys(object)) setMember(renamed, rename(name), object[name]);
  return renamed;
}
