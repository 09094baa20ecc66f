/**
 * Upgrades from client-side to server-side apply. `kubectl apply` records its configuration in an annotation, and an
 * Update manager owns the fields. `kubectl apply --server-side` must not conflict with them.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject, sortedNames, writeJson } from '../../apimachinery/json/write-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { compare } from '../typed/compare.ts';
import { membersOrEmpty } from '../typed/members.ts';
import { toFieldSet } from '../typed/paths-below.ts';
import { validate } from '../typed/validate.ts';
import type { Conflict } from './conflicts.ts';
import type { WriteScope } from './write-scope.ts';

/** The manager for which the annotation is read and updated. */
export const LAST_APPLIED_MANAGER = 'kubectl';
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
/** For all annotations of an object together. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

/** Without conflicts about fields that client-side apply set and that are unchanged since. */
export function conflictsBeyondLastApplied(scope: WriteScope, live: JsonObject, conflicts: readonly Conflict[]): readonly Conflict[] {
  const allowed = fieldsAsLastApplied(scope, live);
  if (allowed === undefined) return conflicts;
  return conflicts
    .map((conflict) => ({ ...conflict, fields: conflict.fields.difference(allowed) }))
    .filter(({ fields }) => !fields.isEmpty);
}

/** `undefined` if the object has no annotation with a configuration of its kind and version. */
function fieldsAsLastApplied({ shape, apiVersion }: WriteScope, live: JsonObject): FieldSet | undefined {
  const applied = parseConfiguration(lastApplied(live));
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

function parseConfiguration(text: string): JsonObject | undefined {
  if (text === '') return undefined;
  try {
    const { value } = parseJson(Buffer.from(text, 'utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** Updates the annotation of `document`, if present, to `config`; removes it if it would be too large. */
export function withLastApplied(document: JsonObject, config: JsonObject): JsonObject {
  if (lastApplied(document) === '') return document;
  const { [ANNOTATION]: _, ...others } = annotationsOf(document) ?? {};
  const annotations = { ...others, [ANNOTATION]: configurationText(config) };
  return withAnnotations(document, annotationBytes(annotations) > MAX_ANNOTATION_BYTES ? others : annotations);
}

/** As kubectl writes it: sorted keys, no null annotations, a final newline. Excludes the annotation itself. */
const configurationText = (config: JsonObject): string => `${writeJson(sortedValue(withAnnotations(config, otherAnnotations(config))))}\n`;

function otherAnnotations(config: JsonObject): JsonObject | undefined {
  const annotations = annotationsOf(config);
  if (annotations === undefined) return undefined;
  const others = Object.entries(annotations).filter(([name]) => name !== ANNOTATION);
  return Object.fromEntries(others.map(([name, value]) => [name, value ?? '']));
}

const withAnnotations = (document: JsonObject, annotations: JsonObject | undefined): JsonObject => ({
  ...document,
  metadata: { ...membersOrEmpty(document['metadata']), annotations },
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
