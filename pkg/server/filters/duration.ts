/** Parses Go durations (`1h30m`, `500ms`) for the `timeout` parameter. */
const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const PART = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;
const MAX_CHARACTERS = 64;

/** Milliseconds; undefined when the text is not a duration. */
export function parseDurationMs(text: string): number | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === '0') return 0;
  let ms = 0;
  let at = 0;
  while (at < unsigned.length) {
    PART.lastIndex = at;
    const match = PART.exec(unsigned);
    if (match === null) return undefined;
    ms += Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? 0);
    at = PART.lastIndex;
  }
  if (unsigned === '') return undefined;
  return negative ? -ms : ms;
}
