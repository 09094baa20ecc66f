/**
 * YAML text into documents of the `yaml` library, within bounds: the library takes a while for each token and each mistake, and recurses into what is
 * nested, so they are counted while they are read.
 */
import { Composer, type Document, Lexer, Parser } from 'yaml';
import { MAX_DEPTH, SourceError, TOO_DEEP } from './source-error.ts';

/** Twenty for each of 10,000 lines; one such as `  name: value # why` has nine. */
export const MAX_TOKENS = 200_000;
/** Those between documents, and backslashes in quotes. */
export const MAX_MISTAKES = 100;

/** A backslash in double quotes, with what may follow it. */
const ESCAPE = /\\(?:[0abtnvfreNLP_ "/\\\t\r\n]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|())/g;

/** Scalars keep their texts; duplicate keys stay. Throws SourceError, after the documents that were complete before. */
export function* composeDocuments(text: string): Generator<Document.Parsed> {
  const parser = new Parser();
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false });
  const bounds = new Bounds(text);
  let failure: SourceError | undefined;
  try {
    for (const lexeme of new Lexer().lex(text)) {
      bounds.countToken(lexeme);
      for (const token of parser.next(lexeme)) {
        // One directive would do, and each wrong one is a mistake.
        if (token.type === 'error' || token.type === 'directive') bounds.countMistake(token.offset);
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
  #mistakes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  countToken(lexeme: string): void {
    if (++this.#tokens > MAX_TOKENS) throw new SourceError(`the text has more than ${MAX_TOKENS} tokens; it is read up to here`, this.#at);
    if (lexeme === '[' || lexeme === '{') this.#open++;
    else if (lexeme === ']' || lexeme === '}') this.#open--;
    if (this.#open > MAX_DEPTH) throw new SourceError(TOO_DEEP, this.#at);
    // Others are signs of the lexer to the parser.
    if (!this.#text.startsWith(lexeme, this.#at)) return;
    if (lexeme.startsWith('"')) this.#countEscapes(lexeme);
    this.#at += lexeme.length;
  }

  countMistake(at: number): void {
    if (++this.#mistakes > MAX_MISTAKES)
      throw new SourceError(`the text has more than ${MAX_MISTAKES} mistakes; it is read up to here`, at);
  }

  #countEscapes(quoted: string): void {
    for (const { 1: wrong, index } of quoted.matchAll(ESCAPE)) if (wrong !== undefined) this.countMistake(this.#at + index);
  }
}

/** The library reports the end of the stack as an error of the text. */
export const isStackOverflow = ({ message }: Error): boolean => message.startsWith('Maximum call stack');
