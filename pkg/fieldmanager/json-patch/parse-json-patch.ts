/** Parses a JSON patch (RFC 6902), `application/json-patch+json`. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson, type JsonFinding } from '../../apimachinery/json/parse-json.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { badRequest, StatusError } from '../../apimachinery/status/status-error.ts';
import { parsePointer, type JsonPointer } from './json-pointer.ts';
import { refusedOperation } from './refused-operation.ts';

/** The limit of Kubernetes. */
export const MAX_OPERATIONS = 10_000;

export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: JsonPointer; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: JsonPointer }
  | { readonly op: 'move' | 'copy'; readonly path: JsonPointer; readonly from: JsonPointer };

export interface JsonPatch {
  /** Numbers with an unusual spelling (`1.0`) in their values are raw values. */
  readonly operations: readonly JsonPatchOperation[];
  /** Unknown members, such as `[0].comment`, and repeated ones. At most 100. */
  readonly findings: readonly JsonFinding[];
}

const MEMBERS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);
const MAX_FINDINGS = 100;

/**
 * Throws StatusError: BadRequest for wrong JSON types, RequestEntityTooLarge for too many operations, Invalid for an
 * unknown operation or a missing member.
 */
export function parseJsonPatch(bytes: Uint8Array): JsonPatch {
  const { value: sent, findings } = parseJson(bytes, undefined, 'tokens');
  // As in Kubernetes, `null` is an empty patch.
  const value = sent ?? [];
  if (!isArray(value)) throw badRequest('the JSON patch is not a list of operations');
  if (value.length > MAX_OPERATIONS) {
    throw new StatusError('RequestEntityTooLarge', `a JSON patch has at most ${MAX_OPERATIONS} operations, not ${value.length}`);
  }
  const members = value.map(membersOf);
  const unknown = members.flatMap(unknownMembers);
  return { operations: members.map(parseOperation), findings: [...findings, ...unknown].slice(0, MAX_FINDINGS) };
}

/** `null` is an operation without members, as in Kubernetes. */
function membersOf(value: JsonValue, index: number): JsonObject {
  const members = value ?? {};
  if (!isJsonObject(members)) throw badRequest(`the JSON patch has an operation that is not an object: [${index}]`);
  for (const name of ['op', 'path', 'from']) {
    if (typeof (members[name] ?? '') !== 'string') throw badRequest(`the JSON patch has a member that is not a string: [${index}].${name}`);
  }
  return members;
}

const unknownMembers = (members: JsonObject, index: number): readonly JsonFinding[] =>
  Object.keys(members)
    .filter((name) => !MEMBERS.has(name))
    .map((name) => ({ kind: 'unknown', path: `[${index}].${name}` }));

function parseOperation(members: JsonObject, index: number): JsonPatchOperation {
  const { op, path, from } = members;
  const refused = (why: string) => refusedOperation({ index, op, path, from }, why);
  const pointer = (name: 'path' | 'from'): JsonPointer => {
    const text = members[name];
    if (typeof text !== 'string') throw refused(`it has no ${name}`);
    const parsed = parsePointer(text);
    if (parsed === undefined) throw refused(`its ${name} does not start with a slash`);
    return parsed;
  };
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      const { value } = members;
      if (value === undefined) throw refused('it has no value');
      return { op, path: pointer('path'), value };
    }
    case 'remove':
      return { op, path: pointer('path') };
    case 'move':
    case 'copy':
      return { op, path: pointer('path'), from: pointer('from') };
    default:
      throw refused('the operation is unknown');
  }
}
