/** The media type of a request body. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { PROTOBUF } from './output.ts';

const READ = ['application/json', 'application/yaml', PROTOBUF] as const;

/** Absent means JSON. Parameters have no effect: bodies are always read as UTF-8. Throws UnsupportedMediaType. */
export function bodyMediaType(contentType: string | undefined): (typeof READ)[number] {
  if (contentType === undefined || contentType === '' || contentType === 'application/json') return 'application/json';
  const type = typeOf(contentType);
  const found = READ.find((mediaType) => mediaType === type);
  if (found !== undefined) return found;
  throw new StatusError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${READ.join(', ')}`,
  );
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const TYPE = new RegExp(`\\s*(${TOKEN}/${TOKEN})\\s*`, 'y');
const PARAMETER = new RegExp(`;\\s*(${TOKEN})\\s*=\\s*(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")\\s*`, 'y');
const END = /(?:;\s*)?$/y;

/**
 * In lower case; undefined when malformed (RFC 2045 section 5.1) or with contradicting parameters, as in Kubernetes.
 */
function typeOf(contentType: string): string | undefined {
  let at = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(contentType);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const type = next(TYPE)?.[1];
  const parameters = new Map<string, string>();
  for (let match = next(PARAMETER); match !== null; match = next(PARAMETER)) {
    const [, name = '', value = ''] = match;
    const key = name.toLowerCase();
    if ((parameters.get(key) ?? value) !== value) return undefined;
    parameters.set(key, value);
  }
  return next(END) === null ? undefined : type?.toLowerCase();
}
