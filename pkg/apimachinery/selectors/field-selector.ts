/** Parses a field selector: `metadata.name=a,status.phase!=Failed`. Values escape `\`, `,` and `=` by a backslash. */
import { compareByBytes } from '../json/write-json.ts';
import { badRequest } from '../status/status-error.ts';
import { createFieldSelector, type FieldRequirement, type FieldSelector } from './selector.ts';

const MAX_SELECTOR_LENGTH = 64 * 1024;
const OPERATORS = ['!=', '==', '='] as const;

/** Empty text selects everything. White space is significant. Throws StatusError BadRequest; ignores the kind. */
export function parseFieldSelector(text: string): FieldSelector {
  if (text.length > MAX_SELECTOR_LENGTH) throw badRequest(`invalid field selector: longer than ${MAX_SELECTOR_LENGTH} characters`);
  const requirements: FieldRequirement[] = [];
  // Sorted as in Kubernetes, which affects only the canonical text.
  for (const term of [...splitTerms(text)].sort(compareByBytes)) {
    if (term === '') continue;
    const requirement = parseTerm(term, text);
    // As in Kubernetes, a term without a name and a value selects everything.
    if (requirement.field !== '' || requirement.value !== '') requirements.push(requirement);
  }
  return createFieldSelector(requirements);
}

/** Splits at unescaped commas. */
function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    if (unit === '\\') at++;
    if (unit === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(term: string, selector: string): FieldRequirement {
  // Field names have no escapes, so the first operator counts.
  for (let at = 0; at < term.length; at++) {
    for (const operator of OPERATORS) {
      if (!term.startsWith(operator, at)) continue;
      return {
        field: term.slice(0, at),
        operator: operator === '!=' ? '!=' : '=',
        value: unescape(term.slice(at + operator.length)),
      };
    }
  }
  throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
}

function unescape(value: string): string {
  let text = '';
  for (let at = 0; at < value.length; at++) {
    const unit = value.charAt(at);
    if (unit === '=') throw badRequest('invalid field selector: unescaped character in value: =');
    if (unit !== '\\') {
      text += unit;
      continue;
    }
    const escaped = value.charAt(++at);
    if (escaped !== '\\' && escaped !== ',' && escaped !== '=') {
      throw badRequest(`invalid field selector: invalid escape sequence: \\${escaped}`);
    }
    text += escaped;
  }
  return text;
}
