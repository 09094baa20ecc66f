/** LMDB's error of a failed transaction says no more than that; the reason comes behind it, in a promise of its own. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorText } from './error-text.ts';

/** It is settled together with the transaction or a turn later; should it not be, nobody waits for it. */
const TURNS = 20;

/** The transaction has ended, and failed. Any other error says nothing about what is in the file. */
export const isFailedTransaction = (error: unknown): error is { readonly commitError: Promise<unknown> } =>
  typeof error === 'object' && error !== null && 'commitError' in error && error.commitError instanceof Promise;

export async function describeWriteFailure(error: unknown): Promise<string> {
  if (!isFailedTransaction(error)) return errorText(error);
  const found: string[] = [];
  error.commitError.then(undefined, (cause: unknown) => found.push(errorText(cause)));
  for (let turn = 0; turn < TURNS && found.length === 0; turn++) await nextTurn();
  return found[0] ?? errorText(error);
}
