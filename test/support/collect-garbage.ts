import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What nothing holds is gone when this resolves. */
export async function collectGarbage(): Promise<void> {
  // What a WeakRef was asked for lives to the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  setFlagsFromString('--no-expose-gc');
}
