/**
 * Work that one of the servers over a store does: what the registry does by itself, and the controllers. One lease is
 * for all of it, so that an idle server writes little.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';
import { type Lead, type LeaseOptions, runLeader } from './lease.ts';

export type BackgroundWorkOptions = Omit<LeaseOptions, 'name' | 'leaseMs' | 'renewMs'>;

/** Another server takes over at most 13 s after the leader's last renewal, which it sees up to `RENEW_MS` later. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** Pause before failed work begins again. */
const RESTART_MS = 1_000;

export class BackgroundWork {
  readonly #options: BackgroundWorkOptions;
  readonly #works = new Map<string, Lead>();
  #leading: AbortSignal | undefined;
  readonly #running = new Set<Promise<void>>();

  constructor(options: BackgroundWorkOptions) {
    this.#options = options;
  }

  /** Runs `work` whenever this server leads, also now. It is begun again if it throws or ends by itself. */
  add(name: string, work: Lead): void {
    this.#works.set(name, work);
    if (this.#leading !== undefined) this.#start(name, work, this.#leading);
  }

  /** Until `signal` aborts. Never rejects. Called once. */
  run(signal: AbortSignal): Promise<void> {
    const lease = { ...this.#options, name: 'background', leaseMs: LEASE_MS, renewMs: RENEW_MS };
    return runLeader(lease, (leading) => this.#lead(leading), signal);
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.#leading = signal;
    for (const [name, work] of this.#works) this.#start(name, work, signal);
    await aborted(signal);
    this.#leading = undefined;
    await Promise.all(this.#running);
  }

  #start(name: string, work: Lead, signal: AbortSignal): void {
    const running = keepRunning(name, work, this.#options, signal).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

async function keepRunning(
  name: string,
  work: Lead,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  const isOver = () => signal.aborted;
  while (!isOver()) {
    try {
      await work(signal);
    } catch (error) {
      if (!isOver()) log.warn('background work failed, beginning it again', { work: name, error });
    }
    await clock.sleep(RESTART_MS, signal);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
