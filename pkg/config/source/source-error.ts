/** A text, or one of its documents, that cannot be read. */
export class SourceError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export const MAX_DEPTH = 100;

export const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;

/** More than enough, since kinds must be unique, and each document costs validation. */
export const MAX_DOCUMENTS = 100;

export const TOO_MANY_DOCUMENTS = `the text has more than ${MAX_DOCUMENTS} documents; it is read up to here`;
