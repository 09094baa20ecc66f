/** Scalars on one line, as they stand in a text. Undefined: there is none that would surely be one. */
import { resolvePlain } from '../../apimachinery/yaml/plain-scalar.ts';
import { APOSTROPHE, BACKSLASH, COLON, CR, HASH, isBlank, isFlowIndicator, LF, QUOTE, SPACE, TAB } from './characters.ts';
import type { SourceScalar } from './source-node.ts';

/** What may not begin a plain scalar, or may only before certain others. */
const NOT_FIRST = new Set(',[]{}#&*!|>\'"%@`:?');

/** In double quotes; more of them exist. */
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const CODE = /^[0-9a-fA-F]{4}$/;

/** Up to a comment, a colon that makes a key of it, in brackets a comma or another bracket, or the end of the line. */
export function plainScalar(text: string, start: number, isInFlow: boolean): SourceScalar | undefined {
  const first = text.charAt(start);
  if (NOT_FIRST.has(first)) return undefined;
  if (first === '-' && (isBlank(text.charCodeAt(start + 1)) || isFlowIndicator(text.charCodeAt(start + 1)))) return undefined;
  // Behind a tab the library takes these for the end of a document.
  if (text.startsWith('...', start) || text.startsWith('---', start)) return undefined;
  const end = endOfPlain(text, start, isInFlow);
  return end <= start ? undefined : plainFrom(text.slice(start, end), start, end);
}

/** Blanks at the end left out; -1: it has something in it that may not be there. */
function endOfPlain(text: string, start: number, isInFlow: boolean): number {
  let end = start;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE) continue;
    if (code === TAB) return -1;
    if (Number.isNaN(code) || code === LF) return end;
    if (code === CR) return text.charCodeAt(at + 1) === LF ? end : -1;
    if (code === HASH && end < at) return end;
    if (code === COLON && isBlank(text.charCodeAt(at + 1))) return end;
    if (isInFlow && isFlowIndicator(code)) return end;
    if (isInFlow && code === COLON && isFlowIndicator(text.charCodeAt(at + 1))) return -1;
    end = at + 1;
  }
}

function plainFrom(text: string, start: number, end: number): SourceScalar {
  const { type, text: resolved } = resolvedPlain(text);
  return { type, text: resolved, start, end, quote: '' };
}

/** As Kubernetes' clients resolve it. */
export function resolvedPlain(text: string): Pick<SourceScalar, 'type' | 'text'> {
  const resolved = resolvePlain(text);
  if (resolved === undefined) return { type: 'string', text };
  return { type: resolved.type, text: resolved.type === 'not-a-number' ? text : resolved.json };
}

export function quotedScalar(text: string, start: number): SourceScalar | undefined {
  const quote = text.charCodeAt(start);
  if (quote === QUOTE) return doubleQuoted(text, start);
  return quote === APOSTROPHE ? singleQuoted(text, start) : undefined;
}

function singleQuoted(text: string, start: number): SourceScalar | undefined {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code) || code === LF || code === CR) return undefined;
    if (code !== APOSTROPHE) continue;
    if (text.charCodeAt(at + 1) === APOSTROPHE) at++;
    else return { type: 'string', text: text.slice(start + 1, at).replaceAll("''", "'"), start, end: at + 1, quote: "'" };
  }
}

function doubleQuoted(text: string, start: number): SourceScalar | undefined {
  let value = '';
  let from = start + 1;
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code) || code === LF || code === CR) return undefined;
    if (code === QUOTE) return { type: 'string', text: value + text.slice(from, at), start, end: at + 1, quote: '"' };
    if (code !== BACKSLASH) continue;
    const name = text.charAt(at + 1);
    const digits = name === 'u' ? text.slice(at + 2, at + 6) : '';
    const character = CODE.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : ESCAPES[name];
    if (character === undefined) return undefined;
    value += text.slice(from, at) + character;
    at += 1 + digits.length;
    from = at + 1;
  }
}
