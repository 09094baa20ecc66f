/** The rules of paths inside a volume. Callers check for empty paths. */
import { invalidValue, NO_CAUSES } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';

const hasBackstep = (text: string): boolean => text.includes('..') && text.split('/').includes('..');

/** The path must not contain a `..` element. */
export const backstepCauses = (text: string, path: FieldPath): readonly StatusCause[] =>
  hasBackstep(text) ? [invalidValue(path, text, "must not contain '..'")] : NO_CAUSES;

/** The path must stay inside its folder: relative, without `..` elements. */
export function relativePathCauses(text: string, path: FieldPath): readonly StatusCause[] {
  const backsteps = backstepCauses(text, path);
  return text.startsWith('/') ? [invalidValue(path, text, 'must be a relative path'), ...backsteps] : backsteps;
}

/** The same for a file that the kubelet writes; it reserves names that start with `..`. */
export function writtenPathCauses(text: string, path: FieldPath): readonly StatusCause[] {
  const relative = relativePathCauses(text, path);
  // `../x` already has a cause; `..` gets two, as in Kubernetes.
  return text.startsWith('..') && !text.startsWith('../') ? [...relative, invalidValue(path, text, "must not start with '..'")] : relative;
}
