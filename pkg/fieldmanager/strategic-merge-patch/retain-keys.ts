import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { memberOf } from '../../apimachinery/json/member-of.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { RETAIN_KEYS, isListDirective } from './directives.ts';
import { elementKeyBy } from './element-key.ts';
import { kindOf, listOf } from './json-kind.ts';
import { malformedPatch, memberPath, type PatchPath } from './patch-error.ts';

/**
 * A copy of `original` with the members in `$retainKeys`, or all without it. Throws BadRequest if the directive is not
 * a list of names, or lacks a name that the patch sets.
 */
export function retainedMembers(original: JsonObject, patch: JsonObject, path: PatchPath): Record<string, JsonValue | undefined> {
  const directive = memberOf(patch, RETAIN_KEYS);
  if (directive === undefined) return { ...original };
  const names = namesIn(directive, memberPath(path, RETAIN_KEYS));
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (name === RETAIN_KEYS || value === undefined || kindOf(value) === 'null' || isListDirective(name)) continue;
    if (!names.has(name)) throw malformedPatch(memberPath(path, RETAIN_KEYS), `must name ${name}, which the patch sets`);
  }
  const retained: Record<string, JsonValue | undefined> = {};
  for (const name of Object.keys(original)) {
    if (names.has(name)) setMember(retained, name, original[name]);
  }
  return retained;
}

function namesIn(directive: JsonValue, path: PatchPath): ReadonlySet<unknown> {
  const names = listOf(directive);
  if (names === undefined) throw malformedPatch(path, 'must be a list of names');
  return new Set(names.map(elementKeyBy(undefined, path)));
}
