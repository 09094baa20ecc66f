/**
 * YAML text into documents of the `yaml` library, within bounds: the library takes a while for each token and recurses into what is nested, so tokens
 * are counted while they are read. A text that breaks a bound is refused before anything of it is looked at.
 */
import { Composer, Lexer, Parser } from 'yaml';
import type { Document } from 'yaml';

/** Forty for each of 10,000 lines; one such as `  name: value # why` has nine. */
export const MAX_TOKENS = 400_000;
export const MAX_DEPTH = 100;

export const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;

/** Why a text, or one document of it, cannot be read. */
export class SourceError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Scalars keep their texts; duplicate keys stay. `onNewLine` gets the offset of each line. Throws SourceError. */
export function* composeDocuments(text: string, onNewLine: (offset: number) => void): Generator<Document.Parsed> {
  const parser = new Parser(onNewLine);
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false });
  let tokens = 0;
  let open = 0;
  try {
    onNewLine(0);
    for (const lexeme of new Lexer().lex(text)) {
      if (++tokens > MAX_TOKENS) throw new SourceError(`the text has more than ${MAX_TOKENS} tokens`, 0);
      if (lexeme === '[' || lexeme === '{') open++;
      else if (lexeme === ']' || lexeme === '}') open--;
      if (open > MAX_DEPTH) throw new SourceError(TOO_DEEP, 0);
      for (const token of parser.next(lexeme)) yield* composer.next(token);
    }
    for (const token of parser.end()) yield* composer.next(token);
    yield* composer.end(false, text.length);
  } catch (error) {
    if (error instanceof RangeError) throw new SourceError(TOO_DEEP, 0);
    throw error;
  }
}

/** The library reports the end of the stack as an error of the text. */
export const isStackOverflow = ({ message }: Error): boolean => message.startsWith('Maximum call stack');
