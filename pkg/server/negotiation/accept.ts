/** Which form an answer takes. Clients name several; the first usable one of the highest weight is chosen. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { PLAIN_JSON } from './output.ts';
import type { Output } from './output.ts';

export interface MediaType {
  /** In lower case. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const USABLE = new Set(['application/json', 'application/*', '*/*']);
const MAX_CLAUSES = 64;

/** Throws NotAcceptable when nothing that is named can be served. */
export function negotiate(accept: string | undefined): Output {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return PLAIN_JSON;
  const clauses = accept.split(',', MAX_CLAUSES).map(parseMediaType);
  if (clauses.some(isUsable)) return PLAIN_JSON;
  throw new StatusError('NotAcceptable', 'only the following media types are accepted: application/json');
}

/** `as=` asks for another kind than the stored one: a Table, or metadata alone. */
const isUsable = ({ type, parameters }: MediaType): boolean =>
  USABLE.has(type) && parameters['as'] === undefined && Number(parameters['q'] ?? 1) !== 0;

export function parseMediaType(text: string): MediaType {
  const [type = '', ...rest] = text.split(';');
  const parameters: Record<string, string> = {};
  for (const part of rest) {
    const mark = part.indexOf('=');
    if (mark > 0) parameters[part.slice(0, mark).trim().toLowerCase()] = unquoted(part.slice(mark + 1).trim());
  }
  return { type: type.trim().toLowerCase(), parameters };
}

const unquoted = (text: string) => (text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text);

/** True when the client takes gzip. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  return acceptEncoding.split(',', MAX_CLAUSES).some((clause) => {
    const { type, parameters } = parseMediaType(clause);
    return type === 'gzip' && Number(parameters['q'] ?? 1) !== 0;
  });
}
