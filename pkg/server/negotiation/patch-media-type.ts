/** The media type of a PATCH body. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { parseMediaType } from './media-type.ts';

export const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';
/** Another name of apply. JSON is YAML, so both are parsed the same way. */
const APPLY_PATCH_ALIAS = 'application/apply-patch';

const READ = [JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH] as const;

export const PATCH_MEDIA_TYPES: readonly string[] = [...READ, APPLY_PATCH_ALIAS];

export type PatchMediaType = (typeof READ)[number];

/** Undefined when it is not a patch type. */
export function findPatchMediaType(contentType: string | undefined): PatchMediaType | undefined {
  const { type } = parseMediaType(contentType ?? '');
  return type === APPLY_PATCH_ALIAS ? APPLY_PATCH : READ.find((mediaType) => mediaType === type);
}

/** Throws UnsupportedMediaType with the supported types. */
export function patchMediaType(contentType: string | undefined): PatchMediaType {
  const found = findPatchMediaType(contentType);
  if (found !== undefined) return found;
  throw new StatusError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${PATCH_MEDIA_TYPES.join(', ')}`,
    { details: {} },
  );
}
