/**
 * Parses a label selector in linear time: `app=web,tier in (frontend,backend),!canary,generation>3`. Words such as `in`
 * are operators only where an operator is expected.
 */
import { badRequest, causesText } from '../status/status-error.ts';
import { checkQualifiedName } from '../meta/names.ts';
import { checkLabelRequirement, invalidKey } from './label-requirement.ts';
import { createLabelSelector, type LabelRequirement, type ParsedLabelSelector } from './selector.ts';

/** Longer than any legitimate selector; request lines are limited too. */
const MAX_SELECTOR_LENGTH = 64 * 1024;

type LabelTokenKind = 'word' | 'symbol' | 'end' | 'error';
interface LabelToken {
  readonly kind: LabelTokenKind;
  readonly text: string;
}

const END: LabelToken = { kind: 'end', text: '' };
const SPACE = /[ \t\r\n]/;
const SYMBOL = /[=!(),<>]/;
const WORD = /[^=!(),<> \t\r\n\0]+/y;
const OPERATORS_TEXT = 'in, notin, =, ==, !=, gt, lt';
const OPERATORS: Readonly<Record<string, string>> = { '=': '=', '==': '==', '!=': '!=', '>': 'gt', '<': 'lt' };

/** Empty text selects everything. Throws StatusError BadRequest. */
export function parseLabelSelector(text: string): ParsedLabelSelector {
  if (text.length > MAX_SELECTOR_LENGTH) throw badRequest(`unable to parse label selector: longer than ${MAX_SELECTOR_LENGTH} characters`);
  return createLabelSelector(new LabelSelectorParser(tokensOf(text)).selector());
}

function tokensOf(text: string): readonly LabelToken[] {
  const tokens: LabelToken[] = [];
  for (let at = 0; at < text.length;) {
    const unit = text.charAt(at);
    if (SPACE.test(unit)) {
      at++;
    } else if (SYMBOL.test(unit)) {
      const two = text.slice(at, at + 2);
      const symbol = two === '==' || two === '!=' ? two : unit;
      tokens.push({ kind: 'symbol', text: symbol });
      at += symbol.length;
    } else {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0] ?? '';
      tokens.push(word === '' ? { kind: 'error', text: unit } : { kind: 'word', text: word });
      at += Math.max(1, word.length);
    }
  }
  return tokens;
}

class LabelSelectorParser {
  readonly #tokens: readonly LabelToken[];
  #at = 0;

  constructor(tokens: readonly LabelToken[]) {
    this.#tokens = tokens;
  }

  selector(): readonly LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#peek().kind === 'end') return requirements;
    if (!this.#startsRequirement()) throw unexpected(this.#peek(), "!, identifier, or 'end of string'");
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#next();
      if (separator.kind === 'end') return requirements;
      if (separator.text !== ',') throw unexpected(separator, "',' or 'end of string'");
      if (!this.#startsRequirement()) throw unexpected(this.#peek(), "identifier after ','");
    }
  }

  #requirement(): LabelRequirement {
    const isNegated = this.#peek().text === '!' && this.#next().text === '!';
    const key = this.#next();
    if (key.kind !== 'word') throw inRequirement(unexpected(key, 'identifier').message);
    if (checkQualifiedName(key.text).length > 0) throw inRequirement(causesText([invalidKey('<nil>', key.text)]));
    if (isNegated) return validRequirement(key.text, '!', []);
    if (this.#peek().kind === 'end' || this.#peek().text === ',') return validRequirement(key.text, 'exists', []);
    const operator = this.#operator();
    return validRequirement(key.text, operator, operator === 'in' || operator === 'notin' ? this.#values() : [this.#value()]);
  }

  #operator(): string {
    const token = this.#next();
    if (token.kind === 'word' && (token.text === 'in' || token.text === 'notin')) return token.text;
    const operator = token.kind === 'symbol' ? OPERATORS[token.text] : undefined;
    if (operator === undefined) throw inRequirement(unexpected(token, OPERATORS_TEXT).message);
    return operator;
  }

  #value(): string {
    const token = this.#peek();
    if (token.kind === 'end' || token.text === ',') return '';
    if (token.kind !== 'word') throw inRequirement(unexpected(token, 'identifier').message);
    return this.#next().text;
  }

  /** Comma-separated values in parentheses, possibly empty. */
  #values(): readonly string[] {
    const open = this.#next();
    if (open.text !== '(') throw inRequirement(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      values.push(this.#peek().kind === 'word' ? this.#next().text : '');
      const separator = this.#next();
      if (separator.text === ')') return values;
      if (separator.text !== ',') throw inRequirement(unexpected(separator, "',' or ')'").message);
    }
  }

  #startsRequirement(): boolean {
    const { kind, text } = this.#peek();
    return kind === 'word' || text === '!';
  }

  #peek(): LabelToken {
    return this.#tokens[this.#at] ?? END;
  }

  #next(): LabelToken {
    return this.#tokens[this.#at++] ?? END;
  }
}

function validRequirement(key: string, operator: string, values: readonly string[]): LabelRequirement {
  const { requirement, causes } = checkLabelRequirement(key, operator, values);
  if (requirement === undefined) throw inRequirement(causesText(causes));
  return requirement;
}

const unexpected = ({ text }: LabelToken, expected: string) => badRequest(`found '${text}', expected: ${expected}`);
const inRequirement = (message: string) => badRequest(`unable to parse requirement: ${message}`);
