const TEXTS: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' };

/** The description of a response. Throws for a status code that no operation documents. */
export function responseText(code: string): string {
  const text = TEXTS[code];
  if (text === undefined) throw new Error(`no text for response ${code}`);
  return text;
}
