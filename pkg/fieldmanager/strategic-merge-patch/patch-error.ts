/**
 * How a strategic merge patch is refused. What its own text shows to be wrong is a BadRequest; what only the object, or its type, shows is
 * Invalid. Where Kubernetes has a code of its own for a failure, this is it; the others it answers with 500.
 */
import { FieldPath } from '../../apimachinery/status/field-path.ts';
import { StatusError, badRequest } from '../../apimachinery/status/status-error.ts';

/** `undefined`: the top of the object. */
export type PatchPath = FieldPath | undefined;

export const memberPath = (path: PatchPath, name: string): FieldPath => (path === undefined ? FieldPath.of(name) : path.child(name));

const sentence = (path: PatchPath, why: string) =>
  path === undefined ? `invalid patch: ${why}` : `invalid patch: ${path.toString()}: ${why}`;

/** 400. `why` says what is wrong with the field at `path`. */
export const malformedPatch = (path: PatchPath, why: string): StatusError => badRequest(sentence(path, why));

/** 422 without causes. `why` says what is wrong with the field at `path`. */
export const unfitPatch = (path: PatchPath, why: string): StatusError => new StatusError('Invalid', sentence(path, why));
