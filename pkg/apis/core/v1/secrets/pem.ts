/** PEM blocks as Go's `encoding/pem` finds them. */
import { isBase64 } from '../../../../apimachinery/json/base64-text.ts';

export interface PemBlock {
  /** `CERTIFICATE` of `-----BEGIN CERTIFICATE-----`. */
  readonly type: string;
  readonly bytes: Buffer;
}

const BEGIN = '-----BEGIN ';
const END = '\n-----END ';
const DASHES = '-----';

/** In the order of the text. What is no complete block is skipped. */
export function* pemBlocks(pem: Buffer): Generator<PemBlock> {
  const text = pem.toString('latin1');
  let from = 0;
  for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END, from)) {
    const block = blockEndingAt(text, from, end);
    if (block !== undefined) yield block;
    from = block === undefined ? end + END.length : lineAt(text, end + END.length).next;
  }
}

/** The block between `from` and the first END line behind it. Of several BEGIN lines the last one counts. */
function blockEndingAt(text: string, from: number, end: number): PemBlock | undefined {
  const begin = text.lastIndexOf(BEGIN, end - BEGIN.length);
  if (begin < from || (begin > from && text[begin - 1] !== '\n')) return undefined;
  const { line, next } = lineAt(text, begin + BEGIN.length);
  if (!line.endsWith(DASHES)) return undefined;
  const type = line.slice(0, -DASHES.length);
  const body = skipHeaders(text, next);
  // Between headers and the END line there is a line at least.
  if (body > next && body > end) return undefined;
  if (lineAt(text, end + END.length).line !== type + DASHES) return undefined;
  const base64 = text.slice(body, Math.max(body, end)).replaceAll(/[ \t]/g, '');
  return isBase64(base64) ? { type, bytes: Buffer.from(base64, 'base64') } : undefined;
}

function skipHeaders(text: string, start: number): number {
  for (let at = start; ;) {
    const { line, next } = lineAt(text, at);
    if (!line.includes(':')) return at;
    at = next;
  }
}

/** Without its end and the spaces before it. */
function lineAt(text: string, start: number): { readonly line: string; readonly next: number } {
  const newline = text.indexOf('\n', start);
  if (newline < 0) return { line: text.slice(start).replace(/[ \t]+$/, ''), next: text.length };
  return {
    line: text
      .slice(start, newline)
      .replace(/\r$/, '')
      .replace(/[ \t]+$/, ''),
    next: newline + 1,
  };
}
