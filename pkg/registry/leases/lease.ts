/**
 * A lease on a key, held by at most one server by compare-and-set. It prevents duplicate background work. Correctness
 * does not depend on it, since all such work uses compare-and-set.
 *
 * Clocks are not compared: a lease has expired when its key did not change for `leaseMs` on the clock of the observer.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';
import { type Backend, NO_REVISION, type Revision } from '../../storage/backend.ts';
import { type Key, toKey } from '../../storage/keys.ts';
import { compareAndSet } from '../compare-and-set.ts';

export const leaseKey = (name: string): Key => toKey(`/coxswain/leases/${name}`);

export interface LeaseOptions {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  readonly clock: Clock;
  readonly random: (size: number) => Buffer;
  readonly log: Log;
  readonly name: string;
  /** Identifies this server in the key, for operators. */
  readonly holder: string;
  /** A lease expires after this time without a change. Its holder stops after two thirds of it without renewal. */
  readonly leaseMs: number;
  readonly renewMs: number;
}

/** The work of the holder. Must end soon after `signal` aborts, because of a lost lease or shutdown. */
export type Lead = (signal: AbortSignal) => Promise<void>;

/** Acquires the lease and runs `lead`, repeatedly, until `signal` aborts; then releases the lease. Never rejects. */
export async function runLeader(options: LeaseOptions, lead: Lead, signal: AbortSignal): Promise<void> {
  const { clock, log, name } = options;
  while (!signal.aborted) {
    const held = await campaign(options, signal);
    if (held === undefined) return;
    log.debug('lease acquired', { lease: name });
    await holdWhile(options, held, lead, signal);
    await clock.sleep(options.renewMs, signal);
  }
}

/** The revision of the acquired lease; undefined when `signal` aborted first. */
async function campaign(options: LeaseOptions, signal: AbortSignal): Promise<Revision | undefined> {
  const { backend, clock, leaseMs, renewMs, name } = options;
  const key = leaseKey(name);
  let seen: { readonly revision: Revision; readonly sinceMs: number } | undefined;
  while (!signal.aborted) {
    try {
      const { record } = await backend.get(key);
      if (record === undefined || (seen?.revision === record.revision && clock.now() - seen.sinceMs >= leaseMs)) {
        const taken = await write(options, record?.revision ?? NO_REVISION);
        if (taken !== undefined) return taken;
        continue;
      }
      // Restarts when the clock was set back; otherwise no server would lead until it caught up.
      if (seen?.revision !== record.revision || clock.now() < seen.sinceMs) seen = { revision: record.revision, sinceMs: clock.now() };
    } catch (error) {
      options.log.debug('lease not readable', { lease: name, error });
    }
    const leftMs = seen === undefined ? 0 : seen.sinceMs + leaseMs - clock.now();
    // Overdue only when the key could not be read.
    await clock.sleep(leftMs > 0 ? Math.min(renewMs, leftMs) : renewMs, signal);
  }
  return undefined;
}

/** Runs `lead` while renewing. Resolves when it has ended and the lease is lost or released. */
async function holdWhile(options: LeaseOptions, held: Revision, lead: Lead, signal: AbortSignal): Promise<void> {
  const { backend, log, name } = options;
  const lost = new AbortController();
  const leading = AbortSignal.any([signal, lost.signal]);
  const renewal = renewUntilLost(options, held, leading).then((last) => {
    if (last === undefined) log.info('lease lost', { lease: name });
    lost.abort();
    return last;
  });
  try {
    await lead(leading);
  } catch (error) {
    log.warn('background work failed', { lease: name, error });
  }
  lost.abort();
  const last = await renewal;
  // Releases the lease, so that the next server need not wait for its expiry. A failure only costs that wait.
  if (last !== undefined) await backend.commit({ key: leaseKey(name), ifRevision: last, value: null }).catch(() => undefined);
}

/** The last revision of the lease; undefined when it was lost or could not be renewed in time. */
async function renewUntilLost(options: LeaseOptions, held: Revision, signal: AbortSignal): Promise<Revision | undefined> {
  const { clock, leaseMs, renewMs } = options;
  let revision = held;
  for (let renewedMs = clock.now(); ;) {
    await clock.sleep(renewMs, signal);
    if (signal.aborted) return revision;
    const attemptMs = clock.now();
    const renewed = await write(options, revision).catch(() => revision);
    if (renewed === undefined) return undefined;
    if (renewed !== revision) renewedMs = attemptMs;
    revision = renewed;
    if (clock.now() - renewedMs > (leaseMs * 2) / 3) return undefined;
  }
}

/** Undefined when another server changed the key. Throws when the outcome is unknown. */
const write = ({ backend, random, name, holder }: LeaseOptions, ifRevision: Revision): Promise<Revision | undefined> =>
  compareAndSet({ backend, random, key: leaseKey(name), ifRevision, content: { holder } });
