/** The Warning header (RFC 7234 section 5.5), as clients of Kubernetes parse it. */
const TOTAL_CHARACTERS = 4096;
const CUT_CHARACTERS = 256;

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

const quoted = (text: string) => `299 - "${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A header line per distinct text. Too long a total truncates each text, then drops the last ones. */
export function warningHeader(texts: readonly string[]): string[] {
  const usable = [...new Set(texts)].filter((text) => !CONTROL.test(text));
  const total = usable.reduce((sum, text) => sum + lengthOf(text), 0);
  if (total <= TOTAL_CHARACTERS) return usable.map((text) => toHeaderText(quoted(text)));
  const lines: string[] = [];
  let written = 0;
  for (const text of usable) {
    const cut = Array.from(text).slice(0, CUT_CHARACTERS).join('');
    written += lengthOf(cut);
    if (written > TOTAL_CHARACTERS) break;
    lines.push(toHeaderText(quoted(cut)));
  }
  return lines;
}

/** In code points, so that truncation does not split a character. */
const lengthOf = (text: string): number => Array.from(text).length;

/** Header values are bytes; other characters than ASCII are sent as UTF-8. */
const toHeaderText = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
