/** The rules of volumes on the node: folders, a Git checkout, an image. */
import { forbidden, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { backstepCauses, relativePathCauses } from '../paths.ts';
import type {
  EmptyDirVolumeSource,
  GitRepoVolumeSource,
  HostPathVolumeSource,
  ImageVolumeSource,
  LocalVolumeSource,
} from '../types.gen.ts';
import { missingCauses } from './missing-fields.ts';

const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

/** Quantities are canonical, so only negative ones start with a sign. */
export const validateEmptyDir = ({ sizeLimit }: Unchecked<EmptyDirVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  sizeLimit?.startsWith('-') === true
    ? [forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity')]
    : NO_CAUSES;

/** Nothing else is checked if the path is missing. */
export function validateHostPath(source: Unchecked<HostPathVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const { path: folder = '', type } = source;
  if (folder === '') return missingCauses(source, path, 'path');
  return [...backstepCauses(folder, path.child('path')), ...choiceCauses(type, path, 'type', HOST_PATH_TYPES)];
}

export const validateLocal = (source: Unchecked<LocalVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  source.path === undefined || source.path === '' ? missingCauses(source, path, 'path') : backstepCauses(source.path, path.child('path'));

export function validateGitRepo(source: Unchecked<GitRepoVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const missing = missingCauses(source, path, 'repository');
  return source.directory === undefined ? missing : [...missing, ...relativePathCauses(source.directory, path.child('directory'))];
}

/** The reference is optional in a template; only pods need one. */
export const validateImage = ({ pullPolicy }: Unchecked<ImageVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  choiceCauses(pullPolicy || undefined, path, 'pullPolicy', PULL_POLICIES);
