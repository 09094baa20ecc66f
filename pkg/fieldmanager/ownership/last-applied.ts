/**
 * From client-side to server-side apply. `kubectl apply` keeps what it applied last in an annotation, and its fields belong to the manager
 * that its writes went under; when `kubectl apply --server-side` comes to the same object, it must not conflict with its own past.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject, sortedNames, writeJson } from '../../apimachinery/json/write-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { compare } from '../typed/compare.ts';
import { membersIn } from '../typed/members.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { validate } from '../typed/validate.ts';
import type { Conflict } from './conflicts.ts';
import type { TrackedPath } from './tracked-path.ts';

/** The manager for whom the annotation is read and kept. */
export const LAST_APPLIED_MANAGER = 'kubectl';
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
/** Of all annotations of an object together. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

/** The conflicts that are about more than what client-side apply has set, and nobody has changed since. */
export function conflictsBeyondLastApplied(path: TrackedPath, live: JsonObject, conflicts: readonly Conflict[]): readonly Conflict[] {
  const allowed = fieldsAsLastApplied(path, live);
  if (allowed === undefined) return conflicts;
  return conflicts
    .map((conflict) => ({ ...conflict, fields: conflict.fields.difference(allowed) }))
    .filter(({ fields }) => !fields.isEmpty);
}

/** `undefined` when the object has no annotation that is a configuration of its own kind and version. */
function fieldsAsLastApplied({ shape, apiVersion }: TrackedPath, live: JsonObject): FieldSet | undefined {
  const applied = parsedOrNothing(lastApplied(live));
  if (applied === undefined || applied['apiVersion'] !== apiVersion || applied['kind'] !== live['kind']) return undefined;
  if (!isValid(shape, applied) || !isValid(shape, live)) return undefined;
  const { added, modified, removed } = compare(shape, applied, live);
  return toFieldSet(shape, applied).difference(modified).difference(added).difference(removed);
}

const isValid = (shape: ObjectShape, document: JsonObject) => validate(shape, document, { allowDuplicates: false }).length === 0;

function lastApplied(document: JsonObject): string {
  const text = annotationsOf(document)?.[ANNOTATION];
  return typeof text === 'string' ? text : '';
}

function annotationsOf({ metadata }: JsonObject): JsonObject | undefined {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return isJsonObject(annotations) ? annotations : undefined;
}

function parsedOrNothing(text: string): JsonObject | undefined {
  if (text === '') return undefined;
  try {
    const { value } = parseJson(Buffer.from(text, 'utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** `document` with the annotation, if it has one, saying what is applied now; without it when the annotations would be too long. */
export function withLastApplied(document: JsonObject, config: JsonObject): JsonObject {
  if (lastApplied(document) === '') return document;
  const { [ANNOTATION]: _, ...others } = annotationsOf(document) ?? {};
  const annotations = { ...others, [ANNOTATION]: configurationText(config) };
  return withAnnotations(document, annotationBytes(annotations) > MAX_ANNOTATION_BYTES ? others : annotations);
}

/** As Go writes it: names sorted, annotations never null, a line of its own. The annotation itself is not part of it. */
const configurationText = (config: JsonObject): string => `${writeJson(sortedValue(withAnnotations(config, otherTexts(config))))}\n`;

function otherTexts(config: JsonObject): JsonObject | undefined {
  const annotations = annotationsOf(config);
  if (annotations === undefined) return undefined;
  const others = Object.entries(annotations).filter(([name]) => name !== ANNOTATION);
  return Object.fromEntries(others.map(([name, value]) => [name, value ?? '']));
}

const withAnnotations = (document: JsonObject, annotations: JsonObject | undefined): JsonObject => ({
  ...document,
  metadata: { ...membersIn(document['metadata']), annotations },
});

function sortedValue(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(sortedValue);
  if (!isJsonObject(value)) return value;
  const sorted: Record<string, JsonValue> = {};
  for (const name of sortedNames(Object.keys(value))) {
    const member = value[name];
    if (member !== undefined) setMember(sorted, name, sortedValue(member));
  }
  return sorted;
}

function annotationBytes(annotations: JsonObject): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  return bytes;
}
