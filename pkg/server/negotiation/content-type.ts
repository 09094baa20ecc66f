/** Which form a request body has. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { parseMediaType } from './media-type.ts';
import { PROTOBUF } from './output.ts';

const READ = ['application/json', 'application/yaml', PROTOBUF] as const;

/** Absent counts as JSON. Throws UnsupportedMediaType for everything that cannot be read. */
export function bodyMediaType(contentType: string | undefined): (typeof READ)[number] {
  if (contentType === undefined || contentType === '' || contentType === 'application/json') return 'application/json';
  const { type, parameters } = parseMediaType(contentType);
  const charset = parameters['charset']?.toLowerCase() ?? 'utf-8';
  const found = READ.find((mediaType) => mediaType === type);
  if (found !== undefined && (charset === 'utf-8' || charset === 'utf8')) return found;
  throw new StatusError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${READ.join(', ')}`,
  );
}
