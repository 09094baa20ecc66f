const TEXTS: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' };

/** What a response is called. Throws for a code that nothing is documented to answer. */
export function responseText(code: string): string {
  const text = TEXTS[code];
  if (text === undefined) throw new Error(`no text for response ${code}`);
  return text;
}
