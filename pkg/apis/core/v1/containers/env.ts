/** The rules of a container's environment variables and their sources. */
import { checkConfigMapKey, checkDnsLabel, checkDnsSubdomain, checkRelaxedEnvVarName } from '../../../../apimachinery/meta/names.ts';
import type { NameCheck } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, invalidValue, NO_CAUSES, notFoundValue, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nameCauses, optionalNameCauses } from '../../../meta/v1/name-causes.ts';
import { validateFieldRef, validateResourceFieldRef } from '../downward-api.ts';
import { backstepCauses } from '../paths.ts';
import type { EnvFromSource, EnvVar, EnvVarSource, FileKeySelector, Volume } from '../types.gen.ts';

/** `volumes`: all volumes of the pod by name, including invalid ones. */
export const validateEnv = (
  variables: readonly Unchecked<EnvVar>[] | undefined,
  path: FieldPath,
  volumes: ReadonlyMap<string, Unchecked<Volume>>,
): readonly StatusCause[] =>
  causesOfElements(path, variables, ({ name = '', value = '', valueFrom }, at) => {
    const ofName = requiredNameCauses(name, at, 'name', checkRelaxedEnvVarName);
    if (valueFrom === undefined) return ofName;
    return [...ofName, ...sourceCauses(valueFrom, value, at.child('valueFrom'), volumes)];
  });

const requiredNameCauses = (name: string, path: FieldPath, field: string, check: NameCheck): readonly StatusCause[] =>
  name === '' ? [required(path.child(field))] : optionalNameCauses(name, path, field, check);

function sourceCauses(
  source: Unchecked<EnvVarSource>,
  value: string,
  path: FieldPath,
  volumes: ReadonlyMap<string, Unchecked<Volume>>,
): readonly StatusCause[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter((one) => one !== undefined).length;
  return [
    ...(fieldRef === undefined ? NO_CAUSES : validateFieldRef(fieldRef, path.child('fieldRef'), 'env')),
    ...(resourceFieldRef === undefined ? NO_CAUSES : validateResourceFieldRef(resourceFieldRef, path.child('resourceFieldRef'), false)),
    ...(configMapKeyRef === undefined ? NO_CAUSES : keyCauses(configMapKeyRef, path.child('configMapKeyRef'))),
    ...(secretKeyRef === undefined ? NO_CAUSES : keyCauses(secretKeyRef, path.child('secretKeyRef'))),
    ...(fileKeyRef === undefined ? NO_CAUSES : fileKeyCauses(fileKeyRef, path.child('fileKeyRef'), volumes)),
    ...countCauses(count, value, path),
  ];
}

function countCauses(count: number, value: string, path: FieldPath): readonly StatusCause[] {
  if (count === 0) {
    const detail = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    return [invalidValue(path, '', detail)];
  }
  if (value !== '') return [invalidValue(path, '', 'may not be specified when `value` is not empty')];
  return count === 1 ? NO_CAUSES : [invalidValue(path, '', MORE_THAN_ONE)];
}

const MORE_THAN_ONE = 'may not have more than one field specified at a time';

/** An empty object name is an invalid subdomain, not a missing name. */
const keyCauses = ({ name = '', key = '' }: { readonly name?: string; readonly key?: string }, path: FieldPath): readonly StatusCause[] => [
  ...nameCauses(name, path.child('name'), checkDnsSubdomain),
  ...requiredNameCauses(key, path, 'key', checkConfigMapKey),
];

function fileKeyCauses(
  { key = '', volumeName = '', path: file = '' }: Unchecked<FileKeySelector>,
  path: FieldPath,
  volumes: ReadonlyMap<string, Unchecked<Volume>>,
): readonly StatusCause[] {
  return [
    ...requiredNameCauses(key, path, 'key', checkRelaxedEnvVarName),
    ...requiredNameCauses(volumeName, path, 'volumeName', checkDnsLabel),
    ...(file === '' ? [required(path.child('path'))] : backstepCauses(file, path.child('path'))),
    ...fileVolumeCauses(volumeName, path.child('volumeName'), volumes),
  ];
}

function fileVolumeCauses(name: string, path: FieldPath, volumes: ReadonlyMap<string, Unchecked<Volume>>): readonly StatusCause[] {
  const volume = volumes.get(name);
  if (volume === undefined) return [notFoundValue(path, name)];
  return volume.emptyDir === undefined ? [invalidValue(path, name, 'referenced volume must be of type emptyDir')] : NO_CAUSES;
}

/** `path`: that of the list; causes for the source of an element have it too. */
export const validateEnvFrom = (sources: readonly Unchecked<EnvFromSource>[] | undefined, path: FieldPath): readonly StatusCause[] =>
  causesOfElements(path, sources, ({ prefix = '', configMapRef, secretRef }, at) => [
    ...optionalNameCauses(prefix, at, 'prefix', checkRelaxedEnvVarName),
    ...(configMapRef === undefined
      ? NO_CAUSES
      : requiredNameCauses(configMapRef.name ?? '', at.child('configMapRef'), 'name', checkDnsSubdomain)),
    ...(secretRef === undefined ? NO_CAUSES : requiredNameCauses(secretRef.name ?? '', at.child('secretRef'), 'name', checkDnsSubdomain)),
    ...(configMapRef === undefined && secretRef === undefined
      ? [invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`')]
      : NO_CAUSES),
    ...(configMapRef !== undefined && secretRef !== undefined ? [invalidValue(path, '', MORE_THAN_ONE)] : NO_CAUSES),
  ]);
