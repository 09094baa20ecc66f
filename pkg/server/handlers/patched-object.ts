/** Converts the result of a patch to an object of the kind. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { invalidWhole } from '../../apimachinery/status/causes.ts';
import { invalid, StatusError } from '../../apimachinery/status/status-error.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { ObjectDocument } from '../../fieldmanager/typed/document.ts';
import type { CurrentObject } from '../../registry/object-store.ts';
import { type DecodedObject, findingText } from '../../schema/decode.ts';
import { asKind, otherKind, typeCauses, typeCausesText } from './decoded-object.ts';
import type { ResourceCall, ServedResource } from './resource-call.ts';
import type { FieldValidation } from './write-options.ts';

/** The object as clients see and patch it. */
export const patchableDocument = ({ documentOf }: ServedResource, { object, revision }: CurrentObject): JsonObject =>
  withResourceVersion(documentOf(object), String(revision));

export const withResourceVersion = (document: JsonObject, resourceVersion: string | null): JsonObject =>
  withMetadata(document, { resourceVersion });

export const managedFieldsOf = (document: JsonObject): JsonValue | undefined => metadataOf(document)['managedFields'];

const withManagedFields = (document: JsonObject, managedFields: JsonValue | undefined): JsonObject =>
  withMetadata(document, { managedFields });

const withMetadata = (document: JsonObject, members: JsonObject): JsonObject => ({
  ...document,
  metadata: { ...metadataOf(document), ...members },
});

const metadataOf = ({ metadata }: JsonObject): JsonObject => (metadata !== undefined && isJsonObject(metadata) ? metadata : {});

export interface PatchedOptions {
  readonly fieldValidation: FieldValidation;
  /** Findings in the text of the patch, in the wording of warnings. */
  readonly findings: readonly string[];
  /** The stored managedFields, or those of an apply: a result with this very list is not decoded again. */
  readonly managedFields: JsonValue | undefined;
  /** The patched document and its object. Fields that the patch did not touch are not decoded again. */
  readonly untouched?: ObjectDocument;
  /** Ignores kind and apiVersion of the patch. Default: others than the object's are refused. */
  readonly keepsKind?: boolean;
}

/** Throws Invalid with the cause `patch` unless the result is an object of the kind; strict: without unknown fields. */
export function parsePatched({ context, info, resource }: ResourceCall, patched: JsonValue, options: PatchedOptions): KubernetesObject {
  const { definition } = resource.kind;
  const refuse = (why: string): StatusError => invalid(definition, info.name, [invalidWhole('patch', why)]);
  const decoded = decode(resource, patched, options, refuse);
  const other = options.keepsKind === true ? undefined : otherKind(decoded.object, definition);
  if (other !== undefined) throw refuse(other);
  const causes = typeCauses(resource.validator, decoded);
  if (causes.length > 0) throw refuse(typeCausesText(causes));
  const findings = [...options.findings, ...decoded.findings.map(findingText)];
  if (options.fieldValidation === 'Strict' && findings.length > 0) throw refuse(`strict decoding error: ${findings.join(', ')}`);
  if (options.fieldValidation === 'Warn') for (const finding of findings) context.warn(finding);
  return asKind(decoded.object, definition);
}

/** Decodes through JSON bytes, so that all objects pass the same decoder. */
function decode(
  { codec }: ServedResource,
  patched: JsonValue,
  { managedFields: known, untouched }: PatchedOptions,
  refuse: (why: string) => StatusError,
): DecodedObject {
  const isKnown = known !== undefined && isJsonObject(patched) && managedFieldsOf(patched) === known;
  try {
    const unread = isKnown ? withManagedFields(patched, undefined) : patched;
    const [changed, untouchedFields] =
      untouched === undefined || !isJsonObject(unread) ? [unread, undefined] : withoutUntouched(unread, untouched);
    const decoded = codec.decodeBody(Buffer.from(writeJson(changed), 'utf8'));
    const object = untouchedFields === undefined ? decoded.object : { ...decoded.object, ...untouchedFields };
    return { ...decoded, object: isKnown ? withManagedFields(object, known) : object };
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'BadRequest') throw refuse(error.message);
    throw error;
  }
}

/** The part to decode, and the untouched fields. Metadata is always decoded: it has the resourceVersion. */
function withoutUntouched(
  patched: JsonObject,
  { document, object }: ObjectDocument,
): readonly [changed: JsonObject, untouchedFields: JsonObject | undefined] {
  const changed: Record<string, JsonValue | undefined> = {};
  let untouchedFields: Record<string, JsonValue> | undefined;
  for (const name in patched) {
    const [value, before] = [patched[name], object[name]];
    const isUntouched = value === document[name] && name !== 'metadata' && before !== undefined && isJsonObject(before);
    if (isUntouched) (untouchedFields ??= {})[name] = before;
    else setMember(changed, name, value);
  }
  return [changed, untouchedFields];
}
