/**
 * BadRequest if the patch itself is wrong, Invalid if it does not fit the object or its type. Follows Kubernetes,
 * except where it answers 500.
 */
import { FieldPath } from '../../apimachinery/status/field-path.ts';
import { StatusError, badRequest } from '../../apimachinery/status/status-error.ts';

/** `undefined`: the root of the object. */
export type PatchPath = FieldPath | undefined;

export const memberPath = (path: PatchPath, name: string): FieldPath => (path === undefined ? FieldPath.of(name) : path.child(name));

const messageOf = (path: PatchPath, why: string) =>
  path === undefined ? `invalid patch: ${why}` : `invalid patch: ${path.toString()}: ${why}`;

/** 400. `why` completes a sentence about the field at `path`. */
export const malformedPatch = (path: PatchPath, why: string): StatusError => badRequest(messageOf(path, why));

/** 422 without causes. `why` completes a sentence about the field at `path`. */
export const inapplicablePatch = (path: PatchPath, why: string): StatusError => new StatusError('Invalid', messageOf(path, why));
