/** Whether a response is meant for a person. */
const INTERACTIVE_CLIENTS = ['curl', 'Wget', 'Mozilla/5.0'];
/** As Go's strconv.ParseBool; other values are false. */
const TRUE_WORDS = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/** The parameter `pretty` decides; without it, the User-Agent does. */
export function wantsPretty(query: string, userAgent: string | undefined): boolean {
  if (query !== '' && query.includes('pretty')) {
    const parameter = new URLSearchParams(query).get('pretty') ?? '';
    if (parameter !== '') return TRUE_WORDS.has(parameter);
  }
  return userAgent !== undefined && INTERACTIVE_CLIENTS.some((program) => userAgent.startsWith(program));
}
