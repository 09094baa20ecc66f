/** Media types and ranges in headers (RFC 9110 section 8.3.1). */
export interface MediaType {
  /** In lower case: `application/json`. */
  readonly type: string;
  /** Names in lower case, values without quotes. The last duplicate counts. */
  readonly parameters: Readonly<Record<string, string>>;
}

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
