/** An election with three candidates: the first leader is killed, the second is told to end. */
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { waitFor } from '../../support/wait.ts';
import type { Candidate } from './candidate.ts';
import type { Records } from './events.ts';
import type { Lock, LockRecord } from './lock.ts';

/** Longer than a lease lasts. */
const STEP_MS = 30_000;

export interface Election {
  readonly lock: Lock;
  /** Resolves once it runs for the lock. */
  readonly start: (name: string) => Promise<Candidate>;
  readonly records: Records;
}

/** Yields each step that was done and checked. Some clients leave out some of the later ones. */
export async function* hold({ lock, start, records }: Election): AsyncGenerator<string> {
  const first = await start('first');
  const { holder } = await untilLeads(lock, first, '');
  yield 'leads';

  const second = await start('second');
  await untilOtherHasWaited(lock, first, second);
  yield 'waits';

  await first.kill();
  const taken = await untilLeads(lock, second, holder);
  const left = lock.records.findLast((record) => record.holder === holder);
  assert.ok(left !== undefined);
  assert.ok(taken.acquiredAt >= left.renewedAt + left.leaseMs, `taken too early: ${JSON.stringify([left, taken])}`);
  yield 'taken-over';

  const third = await start('third');
  await untilOtherHasWaited(lock, second, third);
  const before = lock.records.length;
  await second.stop();
  const { transitions } = await untilLeads(lock, third, taken.holder);
  yield 'handed-over';

  if (lock.records.slice(before).some((record) => record.holder === '')) yield 'given-up';
  if (transitions !== undefined) {
    assert.equal(transitions, 2);
    yield 'transitions';
  }
  if ((await records.messages()).length > 0) {
    const said = async () => (await records.messages()).filter((message) => message.endsWith(' became leader'));
    await waitFor(async () => (await said()).length === 3, { what: 'three Events' });
    yield 'events';
  }

  await third.stop();
  await lock.remove();
  await records.remove();
  yield 'ended';
}

/** Until it leads and the lock says so. controller-runtime makes a name of its own, which begins with the host's. */
async function untilLeads(lock: Lock, candidate: Candidate, previous: string): Promise<LockRecord> {
  const isHolder = (holder: string) => holder === candidate.name || (holder.startsWith(`${hostname()}_`) && holder !== previous);
  await waitFor(
    () => {
      candidate.check();
      return candidate.leads() && isHolder(lastOf(lock).holder);
    },
    { what: () => `${candidate.name} to lead; the lock is ${JSON.stringify(lock.records.at(-1))}`, timeoutMs: STEP_MS },
  );
  return lastOf(lock);
}

/** Until the holder has renewed for longer than a lease lasts, while the other one has run for the lock. */
async function untilOtherHasWaited(lock: Lock, leader: Candidate, other: Candidate): Promise<void> {
  const begin = Date.now();
  const { holder, leaseMs } = lastOf(lock);
  await waitFor(
    () => {
      leader.check();
      other.check();
      assert.ok(!other.leads(), `${other.name} leads beside ${leader.name}`);
      const now = lastOf(lock);
      assert.equal(now.holder, holder);
      return now.renewedAt > begin + leaseMs;
    },
    { what: () => `${leader.name} to renew; the lock is ${JSON.stringify(lock.records.at(-1))}`, timeoutMs: STEP_MS },
  );
}

function lastOf({ records }: Lock): LockRecord {
  const last = records.at(-1);
  assert.ok(last !== undefined, 'there is no lock');
  return last;
}
