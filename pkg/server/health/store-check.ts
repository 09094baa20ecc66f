/** Checks that the store responds and accepts writes, at most once per second for all probes. */
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Backend } from '../../storage/backend.ts';
import type { CheckResult, HealthCheck } from './health.ts';

export interface StoreCheckOptions {
  /** For example `etcd`, as in Kubernetes. */
  readonly name: string;
  readonly backend: Pick<Backend, 'status'>;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

const ASK_AGAIN_MS = 1000;

export function createStoreCheck({ name, backend, clock, timeoutMs }: StoreCheckOptions): HealthCheck {
  let last: { readonly at: number; readonly result: Promise<CheckResult> } | undefined;
  const ask = async (): Promise<CheckResult> => {
    const waiting = new AbortController();
    try {
      const tooSlow = clock
        .sleep(timeoutMs, waiting.signal)
        .then((): CheckResult => ({ failure: `the store did not answer in ${timeoutMs} ms` }));
      return await Promise.race([readStatus(backend), tooSlow]);
    } finally {
      waiting.abort();
    }
  };
  return {
    name,
    run: () => {
      if (last === undefined || clock.now() - last.at >= ASK_AGAIN_MS) last = { at: clock.now(), result: ask() };
      return last.result;
    },
  };
}

async function readStatus(backend: Pick<Backend, 'status'>): Promise<CheckResult> {
  try {
    const { notReady, alarms, endOfLife } = await backend.status();
    if (notReady !== undefined) return { failure: notReady };
    if (alarms.length > 0) return { failure: `the store raised ${alarms.join(', ')}` };
    return endOfLife === undefined ? {} : { note: endOfLife };
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}
