/** Paths inside a volume, as text. An empty one is left to the caller. */
import { invalidValue, NO_CAUSES } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';

const hasBackstep = (text: string): boolean => text.includes('..') && text.split('/').includes('..');

/** No element of it is `..`. */
export const backstepCauses = (text: string, path: FieldPath): readonly StatusCause[] =>
  hasBackstep(text) ? [invalidValue(path, text, "must not contain '..'")] : NO_CAUSES;

/** It stays inside the folder it starts from: relative, no element `..`. */
export function relativePathCauses(text: string, path: FieldPath): readonly StatusCause[] {
  const backsteps = backstepCauses(text, path);
  return text.startsWith('/') ? [invalidValue(path, text, 'must be a relative path'), ...backsteps] : backsteps;
}

/** The same for a file that the kubelet writes: names that start with `..` are its own. */
export function writtenPathCauses(text: string, path: FieldPath): readonly StatusCause[] {
  const relative = relativePathCauses(text, path);
  // `..` and `../x` have their cause already; Kubernetes names `..` twice.
  return text.startsWith('..') && !text.startsWith('../') ? [...relative, invalidValue(path, text, "must not start with '..'")] : relative;
}
