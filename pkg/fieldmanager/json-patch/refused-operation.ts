import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { JsonValue } from '../../apimachinery/json/json-value.ts';

/** A path can be as long as the request body. */
const MAX_QUOTED = 200;

const quoted = (text: string) => quotedText(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

type OperationSummary = Readonly<Record<'op' | 'path' | 'from', JsonValue | undefined>> & { readonly index: number };

/** 422 without causes for an operation of the patch, as sent. `why` completes the sentence. */
export function refusedOperation({ index, op, path, from }: OperationSummary, why: string): StatusError {
  const subject = [op, path].flatMap((text) => (typeof text === 'string' ? [quoted(text)] : []));
  if (typeof from === 'string') subject.push('from', quoted(from));
  const named = subject.length === 0 ? `operation [${index}]` : `operation [${index}] (${subject.join(' ')})`;
  return new StatusError('Invalid', `the JSON patch cannot be applied: ${named}: ${why}`);
}

/** The reason why an operation failed. The caller converts it to a StatusError with the index of the operation. */
export class OperationFailure extends Error {
  /** The patch needs more work than one request may cause. */
  readonly exceedsWorkLimit: boolean;

  constructor(why: string, exceedsWorkLimit = false) {
    super(why);
    this.name = 'OperationFailure';
    this.exceedsWorkLimit = exceedsWorkLimit;
  }
}
