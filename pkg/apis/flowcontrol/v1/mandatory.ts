/** The mandatory objects never change. Specs are compared and shown as Kubernetes' internal type. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../../apimachinery/json/json-value.ts';
import { invalidStruct } from '../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';

const SPEC = FieldPath.of('spec');

/** `except`: what may change. */
export function fixedSpecCauses(name: string, spec: JsonValue, fixed: JsonValue, except = ''): readonly StatusCause[] {
  if (isDeepStrictEqual(withoutEmptyLists(spec), withoutEmptyLists(fixed))) return [];
  return [invalidStruct(SPEC, spec, `spec of '${name}'${except} must equal the fixed value`)];
}

/** An empty list is the same as none. */
const withoutEmptyLists = (value: JsonValue): unknown =>
  JSON.parse(JSON.stringify(value, (_, member: unknown) => (Array.isArray(member) && member.length === 0 ? null : member)));
