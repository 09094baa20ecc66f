/**
 * A lease: one key, taken and kept by compare-and-set, that at most one server at a time holds. It leads background
 * work which must not be done twice at once; nothing depends on it for correctness, because every write of such work is
 * a compare-and-set of its own.
 *
 * No clocks are compared: an observer takes over when the key's revision did not change for `leaseMs` of the observer's
 * own time.
 */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';
import { type Backend, NO_REVISION, type Revision } from '../../storage/backend.ts';
import { type Key, toKey } from '../../storage/keys.ts';
import { compareAndSet } from '../compare-and-set.ts';

/** Outside every resource. */
export const leaseKey = (name: string): Key => toKey(`/coxswain/leases/${name}`);

export interface LeaseOptions {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  readonly clock: Clock;
  readonly random: (size: number) => Buffer;
  readonly log: Log;
  readonly name: string;
  /** Names this server in the key, for whoever looks. */
  readonly holder: string;
  /** How long an unchanged key is respected. A holder stops its work when it could not renew for two thirds of it. */
  readonly leaseMs: number;
  readonly renewMs: number;
}

/** The work of a holder. It ends soon after `signal` aborts, which says that the lease is lost or the server ends. */
export type Lead = (signal: AbortSignal) => Promise<void>;

/** Campaigns, leads, and campaigns again, until `signal` aborts; then gives the lease back. Never rejects. */
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

/** The revision under which the lease is held; undefined when `signal` aborted first. */
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
      // A clock that was set back counts anew, or nobody would lead until it has made up for it.
      if (seen?.revision !== record.revision || clock.now() < seen.sinceMs) seen = { revision: record.revision, sinceMs: clock.now() };
    } catch (error) {
      options.log.debug('lease not readable', { lease: name, error });
    }
    await clock.sleep(renewMs, signal);
  }
  return undefined;
}

/** Runs `lead` and renews beside it. Resolves when the work has ended and the lease is lost or given back. */
async function holdWhile(options: LeaseOptions, held: Revision, lead: Lead, signal: AbortSignal): Promise<void> {
  const { backend, log, name } = options;
  const lost = new AbortController();
  const leading = AbortSignal.any([signal, lost.signal]);
  const renewal = renewUntilLost(options, held, leading).finally(() => lost.abort());
  try {
    await lead(leading);
  } catch (error) {
    log.warn('background work failed', { lease: name, error });
  }
  lost.abort();
  const last = await renewal;
  // Given back, so that the next server need not wait for it to expire. Losing this write costs that wait and nothing
  // else.
  if (last !== undefined) await backend.commit({ key: leaseKey(name), ifRevision: last, value: null }).catch(() => undefined);
}

/** The revision held last; undefined when another server has the lease or it could not be renewed in time. */
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

/** Undefined: another has written. Throws when nothing is known. */
const write = ({ backend, random, name, holder }: LeaseOptions, ifRevision: Revision): Promise<Revision | undefined> =>
  compareAndSet({ backend, random, key: leaseKey(name), ifRevision, content: { holder } });
