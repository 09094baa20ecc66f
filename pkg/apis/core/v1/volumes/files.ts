/** The rules of volumes with files written by the kubelet: keys of a Secret or ConfigMap, or fields of the pod. */
import { causesOfElements, causesOfEach, invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { validateFieldRef, validateResourceFieldRef } from '../downward-api.ts';
import { writtenPathCauses } from '../paths.ts';
import type { ConfigMapVolumeSource, DownwardAPIVolumeFile, DownwardAPIVolumeSource, KeyToPath, SecretVolumeSource } from '../types.gen.ts';
import { modeCauses } from './file-mode.ts';
import { missingCauses } from './missing-fields.ts';

export const validateSecret = (source: Unchecked<SecretVolumeSource>, path: FieldPath): readonly StatusCause[] => [
  ...missingCauses(source, path, 'secretName'),
  ...modeCauses(source.defaultMode, path, 'defaultMode'),
  ...validateKeys(source.items, path),
];

export const validateConfigMap = (source: Unchecked<ConfigMapVolumeSource>, path: FieldPath): readonly StatusCause[] => [
  ...missingCauses(source, path, 'name'),
  ...modeCauses(source.defaultMode, path, 'defaultMode'),
  ...validateKeys(source.items, path),
];

/** Projected volumes use it too. `path`: that of the source with `items`. */
export const validateKeys = (items: readonly Unchecked<KeyToPath>[] | undefined, path: FieldPath): readonly StatusCause[] =>
  items === undefined ? NO_CAUSES : causesOfElements(path.child('items'), items, keyCauses);

const keyCauses = (item: Unchecked<KeyToPath>, path: FieldPath): readonly StatusCause[] => [
  ...missingCauses(item, path, 'key', 'path'),
  ...writtenPathCauses(item.path ?? '', path.child('path')),
  ...modeCauses(item.mode, path, 'mode'),
];

export const validateDownwardApi = (source: Unchecked<DownwardAPIVolumeSource>, path: FieldPath): readonly StatusCause[] => [
  ...modeCauses(source.defaultMode, path, 'defaultMode'),
  ...validateDownwardApiFiles(source.items, path),
];

/** Projected volumes use it too. As in Kubernetes, paths of causes omit `items` and the index. */
export const validateDownwardApiFiles = (
  items: readonly Unchecked<DownwardAPIVolumeFile>[] | undefined,
  path: FieldPath,
): readonly StatusCause[] => (items === undefined ? NO_CAUSES : causesOfEach(items, (file) => fileCauses(file, path)));

const fileCauses = (file: Unchecked<DownwardAPIVolumeFile>, path: FieldPath): readonly StatusCause[] => [
  ...missingCauses(file, path, 'path'),
  ...writtenPathCauses(file.path ?? '', path.child('path')),
  ...contentCauses(file, path),
  ...modeCauses(file.mode, path, 'mode'),
];

function contentCauses({ fieldRef, resourceFieldRef }: Unchecked<DownwardAPIVolumeFile>, path: FieldPath): readonly StatusCause[] {
  if (fieldRef === undefined) {
    if (resourceFieldRef === undefined) return [required(path, 'one of fieldRef and resourceFieldRef is required')];
    return validateResourceFieldRef(resourceFieldRef, path.child('resourceFieldRef'), true);
  }
  const ofField = validateFieldRef(fieldRef, path.child('fieldRef'), 'volume');
  if (resourceFieldRef === undefined) return ofField;
  return [...ofField, invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')];
}
