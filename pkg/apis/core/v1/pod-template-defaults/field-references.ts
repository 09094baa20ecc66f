import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, orDefault, withElements, withMembers } from '../../../with-members.ts';
import type { DownwardAPIVolumeFile, ObjectFieldSelector } from '../types.gen.ts';

export const withFieldRefDefaults = (selector: Unchecked<ObjectFieldSelector>): Unchecked<ObjectFieldSelector> =>
  withMembers(selector, { apiVersion: orDefault(selector.apiVersion, 'v1') });

/** Defaults of files with fields of the pod. */
export const withFilesDefaults = (
  files: readonly Unchecked<DownwardAPIVolumeFile>[] | undefined,
): readonly Unchecked<DownwardAPIVolumeFile>[] | undefined =>
  withElements(files, (file) => withMembers(file, { fieldRef: ifGiven(file.fieldRef, withFieldRefDefaults) }));
