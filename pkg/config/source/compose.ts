/**
 * Composes YAML text to documents of the `yaml` library. The library takes time for each token and error, and recurses
 * into nested values, so all are limited while parsing.
 */
import { Composer, type Document, Lexer, Parser } from 'yaml';
import { MAX_DEPTH, SourceError, TOO_DEEP } from './source-error.ts';

/** Twenty for each of 10,000 lines; a line like `  name: value # why` has nine. */
export const MAX_TOKENS = 200_000;
/** Counts errors between documents and invalid escapes in quotes. */
export const MAX_SYNTAX_ERRORS = 100;

/** A backslash in double quotes, and the valid characters after it. */
const ESCAPE = /\\(?:[0abtnvfreNLP_ "/\\\t\r\n]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|())/g;

/** Preserves text of scalars and duplicate keys. Throws SourceError after yielding the documents before the failure. */
export function* composeDocuments(text: string): Generator<Document.Parsed> {
  const parser = new Parser();
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false });
  const bounds = new Bounds(text);
  let failure: SourceError | undefined;
  try {
    for (const lexeme of new Lexer().lex(text)) {
      bounds.countToken(lexeme);
      for (const token of parser.next(lexeme)) {
        // Directives are counted as well, since invalid ones are errors and valid ones are rarely needed.
        if (token.type === 'error' || token.type === 'directive') bounds.countSyntaxError(token.offset);
        yield* composer.next(token);
      }
    }
    for (const token of parser.end()) yield* composer.next(token);
  } catch (error) {
    failure = toSourceError(error);
  }
  yield* composer.end(false, text.length);
  if (failure !== undefined) throw failure;
}

function toSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof RangeError) return new SourceError(TOO_DEEP, 0);
  throw error;
}

class Bounds {
  readonly #text: string;
  #at = 0;
  #tokens = 0;
  #open = 0;
  #syntaxErrors = 0;

  constructor(text: string) {
    this.#text = text;
  }

  countToken(lexeme: string): void {
    if (++this.#tokens > MAX_TOKENS) throw new SourceError(`the text has more than ${MAX_TOKENS} tokens; it is read up to here`, this.#at);
    if (lexeme === '[' || lexeme === '{') this.#open++;
    else if (lexeme === ']' || lexeme === '}') this.#open--;
    if (this.#open > MAX_DEPTH) throw new SourceError(TOO_DEEP, this.#at);
    // Other lexemes are control symbols of the lexer.
    if (!this.#text.startsWith(lexeme, this.#at)) return;
    if (lexeme.startsWith('"')) this.#countEscapes(lexeme);
    this.#at += lexeme.length;
  }

  countSyntaxError(at: number): void {
    if (++this.#syntaxErrors > MAX_SYNTAX_ERRORS)
      throw new SourceError(`the text has more than ${MAX_SYNTAX_ERRORS} errors; it is read up to here`, at);
  }

  #countEscapes(quoted: string): void {
    for (const { 1: wrong, index } of quoted.matchAll(ESCAPE)) if (wrong !== undefined) this.countSyntaxError(this.#at + index);
  }
}

/** The library reports a stack overflow as a syntax error. */
export const isStackOverflow = ({ message }: Error): boolean => message.startsWith('Maximum call stack');
