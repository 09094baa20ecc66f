/** The time, passed as an argument so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or immediately when `signal` aborts. Never rejects, and clears its timer. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A longer timeout fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      let timer: NodeJS.Timeout;
      const wait = (leftMs: number) => {
        timer = setTimeout(() => (leftMs > MAX_TIMER_MS ? wait(leftMs - MAX_TIMER_MS) : done()), Math.min(leftMs, MAX_TIMER_MS));
      };
      wait(ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};
