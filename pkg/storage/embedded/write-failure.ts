/** LMDB's error for a failed transaction has no reason. The reason comes later, in the promise `commitError`. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { errorMessage } from '../../apimachinery/status/error-message.ts';

/** The promise usually settles within a tick. This bounds the wait. */
const MAX_TICKS = 20;

/** True when the transaction failed. After any other error the content of the file is unknown. */
export const isFailedTransaction = (error: unknown): error is { readonly commitError: Promise<unknown> } =>
  typeof error === 'object' && error !== null && 'commitError' in error && error.commitError instanceof Promise;

export async function describeWriteFailure(error: unknown): Promise<string> {
  if (!isFailedTransaction(error)) return errorMessage(error);
  const found: string[] = [];
  error.commitError.then(undefined, (cause: unknown) => found.push(errorMessage(cause)));
  for (let tick = 0; tick < MAX_TICKS && found.length === 0; tick++) await nextTick();
  return found[0] ?? errorMessage(error);
}
