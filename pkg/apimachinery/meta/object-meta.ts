/** Validates the metadata of any kind. JSON types must be valid. Returns all causes, in the order of the fields. */
import type { JsonObject } from '../json/json-value.ts';
import { causesOfEach, forbidden, invalidValue, invalidWhole, invalidWord, required, tooLong } from '../status/causes.ts';
import type { FieldPath } from '../status/field-path.ts';
import { quotedText } from '../status/quoted-text.ts';
import type { StatusCause } from '../status/status-error.ts';
import {
  checkAnnotationKey,
  checkAsPrefix,
  checkDnsLabel,
  checkLabelValue,
  checkPathSegment,
  checkPathSegmentPrefix,
  checkQualifiedName,
  type NameCheck,
} from './names.ts';

/** The validated part of ObjectMeta. */
export interface CheckedMetadata {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number | bigint;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number | bigint;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly JsonObject[];
  readonly managedFields?: readonly JsonObject[];
}

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  /** The rule of the kind for names. */
  readonly checkName: NameCheck;
  /** The rule of the kind for generateName. Default: `checkName`, with a trailing dash allowed. */
  readonly checkGenerateName?: NameCheck;
}

const MAX_ANNOTATION_BYTES = 256 * 1024;
const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
/** The finalizers without a domain that Kubernetes defines. */
const STANDARD_FINALIZERS: readonly string[] = [ORPHAN, FOREGROUND, 'kubernetes'];
const IS_IMMUTABLE = 'field is immutable';
const IMMUTABLE = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** On create, after generateName was applied. */
export function validateObjectMeta(metadata: CheckedMetadata, rules: ObjectMetaRules): readonly StatusCause[] {
  const { name = '', generateName = '', generation = 0 } = metadata;
  const checkGenerateName = rules.checkGenerateName ?? checkAsPrefix(rules.checkName);
  return [
    ...(generateName === '' ? [] : checkGenerateName(generateName).map((why) => invalidValue('metadata.generateName', generateName, why))),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : rules.checkName(name).map((why) => invalidValue('metadata.name', name, why))),
    ...namespaceCauses(metadata.namespace ?? '', rules.namespaced),
    ...(generation < 0 ? [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')] : []),
    ...labelCauses(metadata.labels),
    ...annotationCauses(metadata.annotations),
    ...ownerReferenceCauses(metadata.ownerReferences ?? []),
    ...finalizerCauses(metadata.finalizers ?? []),
    ...causesOfEach(metadata.managedFields ?? [], managedFieldsCauses),
  ];
}

/** On update. The name only follows the rules of all kinds, because it may be older than the rules of the kind. */
export function validateObjectMetaUpdate(
  metadata: CheckedMetadata,
  stored: CheckedMetadata,
  { namespaced }: Pick<ObjectMetaRules, 'namespaced'>,
): readonly StatusCause[] {
  const { generation = 0 } = metadata;
  const relaxedRules = { namespaced, checkName: checkPathSegment, checkGenerateName: checkPathSegmentPrefix };
  return [
    ...validateObjectMeta(metadata, relaxedRules),
    ...(stored.deletionTimestamp === undefined ? [] : newFinalizerCauses(metadata.finalizers ?? [], stored.finalizers ?? [])),
    ...(generation < (stored.generation ?? 0) ? [invalidValue('metadata.generation', generation, 'must not be decremented')] : []),
    ...IMMUTABLE.filter((field) => metadata[field] !== stored[field]).map((field) =>
      field === 'uid'
        ? invalidWord('metadata.uid', metadata.uid ?? '', IS_IMMUTABLE)
        : invalidValue(`metadata.${field}`, metadata[field] ?? null, IS_IMMUTABLE),
    ),
  ];
}

/** For kinds that require a resourceVersion in updates. */
export const RESOURCE_VERSION_REQUIRED: StatusCause = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');

/** Whether it has a domain or is one of Kubernetes' own. */
export const isStandardFinalizer = (finalizer: string): boolean => finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer);

export const NOT_A_STANDARD_FINALIZER = 'name is neither a standard finalizer name nor is it fully qualified';

/** Rejects finalizers without a domain that Kubernetes does not define. Not a rule of all kinds. */
export const standardFinalizerCauses = (finalizers: readonly string[]): readonly StatusCause[] =>
  causesOfEach(finalizers, (finalizer, index) =>
    isStandardFinalizer(finalizer) ? [] : [invalidValue(`metadata.finalizers[${index}]`, finalizer, NOT_A_STANDARD_FINALIZER)],
  );

function namespaceCauses(namespace: string, namespaced: boolean): readonly StatusCause[] {
  if (!namespaced) return namespace === '' ? [] : [forbidden('metadata.namespace', 'not allowed on this type')];
  if (namespace === '') return [required('metadata.namespace')];
  return checkDnsLabel(namespace).map((why) => invalidValue('metadata.namespace', namespace, why));
}

/** `field`: `metadata.labels` or another map of labels. As in Kubernetes, the path does not contain the key. */
export const labelCauses = (
  labels: Readonly<Record<string, string>> | undefined,
  field: string | FieldPath = 'metadata.labels',
): readonly StatusCause[] =>
  causesOfEach(Object.entries(labels ?? {}), ([key, value]) => [
    ...checkQualifiedName(key).map((why) => invalidValue(field, key, why)),
    ...checkLabelValue(value).map((why) => invalidValue(field, value, why)),
  ]);

export function annotationCauses(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string | FieldPath = 'metadata.annotations',
): readonly StatusCause[] {
  const all = Object.entries(annotations ?? {});
  let bytes = 0;
  for (const [key, value] of all) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  const causes = causesOfEach(all, ([key]) => checkAnnotationKey(key).map((why) => invalidValue(field, key, why)));
  if (bytes > MAX_ANNOTATION_BYTES) causes.push(tooLong(field, MAX_ANNOTATION_BYTES));
  return causes;
}

const textOf = (object: JsonObject, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

function ownerReferenceCauses(references: readonly JsonObject[]): readonly StatusCause[] {
  const field = 'metadata.ownerReferences';
  let controller: string | undefined;
  return causesOfEach(references, (reference) => {
    const causes: StatusCause[] = [];
    const [apiVersion, kind, name] = [textOf(reference, 'apiVersion'), textOf(reference, 'kind'), textOf(reference, 'name')];
    if (versionOf(apiVersion) === '') causes.push(invalidValue(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
    for (const member of ['kind', 'name', 'uid']) {
      if (textOf(reference, member) === '') causes.push(invalidValue(`${field}.${member}`, '', 'must not be empty'));
    }
    if (apiVersion === 'v1' && kind === 'Event') {
      causes.push(invalidWhole(field, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (reference['controller'] !== true) return causes;
    const shown = `${kind}/${name}`;
    if (controller === undefined) controller = shown;
    else
      causes.push(
        invalidWhole(
          field,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${shown}`,
        ),
      );
    return causes;
  });
}

/** The part after the group; empty if there is more than one slash. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : (parts.at(-1) ?? '');
}

function finalizerCauses(finalizers: readonly string[]): readonly StatusCause[] {
  const field = 'metadata.finalizers';
  const causes = causesOfEach(finalizers, (finalizer) => checkQualifiedName(finalizer).map((why) => invalidValue(field, finalizer, why)));
  const both = finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND);
  return both ? [...causes, invalidValue(field, finalizers, `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`)] : causes;
}

function newFinalizerCauses(finalizers: readonly string[], stored: readonly string[]): readonly StatusCause[] {
  const known = new Set(stored);
  const added = [...new Set(finalizers.filter((finalizer) => !known.has(finalizer)))].sort();
  if (added.length === 0) return [];
  const shown = `[]string{${added.map(quotedText).join(', ')}}`;
  return [forbidden('metadata.finalizers', `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`)];
}

function managedFieldsCauses(entry: JsonObject, index: number): readonly StatusCause[] {
  const field = `metadata.managedFields[${index}]`;
  const [operation, fieldsType] = [textOf(entry, 'operation'), textOf(entry, 'fieldsType')];
  const causes: StatusCause[] = [];
  if (operation !== 'Apply' && operation !== 'Update')
    causes.push(invalidValue(`${field}.operation`, operation, 'must be `Apply` or `Update`'));
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') causes.push(invalidValue(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
  causes.push(...fieldManagerCauses(textOf(entry, 'manager'), `${field}.manager`));
  if (Buffer.byteLength(textOf(entry, 'subresource')) > MAX_SUBRESOURCE_BYTES)
    causes.push(tooLong(`${field}.subresource`, MAX_SUBRESOURCE_BYTES));
  return causes;
}

/** Characters that Go's unicode.IsPrint rejects: control, format, private, unassigned, and other spaces. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Field managers have at most 128 bytes and are printable. */
export function fieldManagerCauses(manager: string, field = 'fieldManager'): readonly StatusCause[] {
  const causes = Buffer.byteLength(manager) > MAX_MANAGER_BYTES ? [tooLong(field, MAX_MANAGER_BYTES)] : [];
  const unprintable = causesOfEach(manager.matchAll(UNPRINTABLE), ({ 0: character, index }) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = Buffer.byteLength(manager.slice(0, index));
    return [invalidValue(field, manager, `invalid character U+${code} (at position ${position})`)];
  });
  return [...causes, ...unprintable];
}
