import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { JsonValue } from '../../apimachinery/json/json-value.ts';

/** An operation as sent, and its index in the patch. */
export interface OperationSummary {
  readonly index: number;
  readonly op: JsonValue | undefined;
  readonly path: JsonValue | undefined;
  readonly from: JsonValue | undefined;
}

/** A path can be as long as the request body. */
const MAX_QUOTED = 200;

const quoted = (text: string) => quotedText(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

/** The error for an operation that failed: 422 without causes. `why` completes the sentence. */
export function refusedOperation({ index, op, path, from }: OperationSummary, why: string): StatusError {
  const subject = [op, path].flatMap((text) => (typeof text === 'string' ? [quoted(text)] : []));
  if (typeof from === 'string') subject.push('from', quoted(from));
  const named = subject.length === 0 ? `operation [${index}]` : `operation [${index}] (${subject.join(' ')})`;
  return new StatusError('Invalid', `the JSON patch cannot be applied: ${named}: ${why}`);
}
