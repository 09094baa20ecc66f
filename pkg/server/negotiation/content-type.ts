/** Which form a request body has. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { parseMediaType } from './accept.ts';

/** Absent counts as JSON. Throws UnsupportedMediaType for everything that cannot be read. */
export function requireJsonBody(contentType: string | undefined): void {
  if (contentType === undefined || contentType === '' || contentType === 'application/json') return;
  const { type, parameters } = parseMediaType(contentType);
  const charset = parameters['charset']?.toLowerCase() ?? 'utf-8';
  if (type === 'application/json' && (charset === 'utf-8' || charset === 'utf8')) return;
  throw new StatusError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: application/json`,
  );
}
