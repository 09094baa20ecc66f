/** Which representation the body of a PATCH has. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { parseMediaType } from './media-type.ts';

export const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';
/** Another name of an apply, without a word on its representation. JSON is YAML, so both are read the same way. */
const APPLY_PATCH_ALIAS = 'application/apply-patch';

const READ = [JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH] as const;

/** All that a client may send. */
export const PATCH_MEDIA_TYPES: readonly string[] = [...READ, APPLY_PATCH_ALIAS];

export type PatchMediaType = (typeof READ)[number];

/** Undefined: it is none of a patch, such as plain JSON. */
export function findPatchMediaType(contentType: string | undefined): PatchMediaType | undefined {
  const { type } = parseMediaType(contentType ?? '');
  return type === APPLY_PATCH_ALIAS ? APPLY_PATCH : READ.find((mediaType) => mediaType === type);
}

/** Throws StatusError UnsupportedMediaType that says what can be sent. */
export function patchMediaType(contentType: string | undefined): PatchMediaType {
  const found = findPatchMediaType(contentType);
  if (found !== undefined) return found;
  throw new StatusError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${PATCH_MEDIA_TYPES.join(', ')}`,
    { details: {} },
  );
}
