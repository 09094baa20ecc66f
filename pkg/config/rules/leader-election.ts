/** Rules for leader election: its durations and its lock. Not applied while `leaderElect` is false. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { formatDuration } from '../../apimachinery/time/duration.ts';
import type { LeaderElectionConfiguration } from '../kinds/types.gen.ts';
import { nanosecondsOf } from './durations.ts';
import { lockNameProblem, lockNamespaceProblem } from './object-names.ts';
import type { Finding, ConfigRule } from './rule.ts';

const WITHIN = 'Generic.LeaderElection';
const LEASE = `${WITHIN}.leaseDuration`;
const RENEW = `${WITHIN}.renewDeadline`;
const RETRY = `${WITHIN}.retryPeriod`;
const ELECT = `${WITHIN}.leaderElect`;

/** A Lease stores its duration in whole seconds, at least one. */
const MIN_LEASE = '1s';

/** Candidates wait up to 1.2 times retryPeriod because of random jitter. In tenths. */
const JITTER_TENTHS = 12n;

type Election = (election: LeaderElectionConfiguration, report: (finding: Finding) => void) => void;

const whileElecting =
  (rule: Election): ConfigRule =>
  (document, report) => {
    if (document.kind === 'LeaderMigrationConfiguration') return;
    const election = document.config.Generic.LeaderElection;
    if (election.leaderElect) rule(election, (finding) => report({ ...finding, relatedPaths: [ELECT, ...(finding.relatedPaths ?? [])] }));
  };

const positiveDurations: Election = ({ leaseDuration, renewDeadline, retryPeriod }, report) => {
  for (const [path, value] of [
    [LEASE, leaseDuration],
    [RENEW, renewDeadline],
    [RETRY, retryPeriod],
  ] as const) {
    if (nanosecondsOf(value) <= 0n) report({ path, reason: 'OutOfRange', message: `must be more than 0s, not ${value}` });
  }
};

const minimumLease: Election = ({ leaseDuration }, report) => {
  const lease = nanosecondsOf(leaseDuration);
  if (lease <= 0n || lease >= nanosecondsOf(MIN_LEASE)) return;
  report({
    path: LEASE,
    reason: 'OutOfRange',
    message: `must be ${MIN_LEASE} or more, since a lease counts seconds, not ${leaseDuration}`,
  });
};

const renewsWithinLease: Election = ({ leaseDuration, renewDeadline }, report) => {
  const [lease, renew] = [nanosecondsOf(leaseDuration), nanosecondsOf(renewDeadline)];
  if (renew < lease || lease <= 0n) return;
  const isEqual = renew === lease;
  report({
    path: RENEW,
    relatedPaths: [LEASE],
    severity: isEqual ? 'warning' : 'error',
    reason: 'LeaderElection',
    message: isEqual
      ? `is leaseDuration, ${leaseDuration}: allowed here, but a component does not start with it; it must be less`
      : `must be at most leaseDuration, ${leaseDuration}, not ${renewDeadline}`,
  });
};

const retriesWithinDeadline: Election = ({ renewDeadline, retryPeriod }, report) => {
  const [renew, retry] = [nanosecondsOf(renewDeadline), nanosecondsOf(retryPeriod)];
  if (renew <= 0n || retry <= 0n || renew * 10n > retry * JITTER_TENTHS) return;
  report({
    path: RENEW,
    relatedPaths: [RETRY],
    reason: 'LeaderElection',
    message: `must be more than 1.2 times retryPeriod, ${formatDuration((retry * JITTER_TENTHS) / 10n)}, not ${renewDeadline}`,
  });
};

const leaseLock: Election = ({ resourceLock }, report) => {
  if (resourceLock === 'leases') return;
  report({
    path: `${WITHIN}.resourceLock`,
    reason: 'UnknownValue',
    message: `must be leases while leaderElect is true, not ${quotedText(resourceLock)}`,
  });
};

/** Checks the name of the lock object. */
const validLockName: Election = ({ resourceName, resourceNamespace }, report) => {
  for (const problem of [
    lockNameProblem(`${WITHIN}.resourceName`, resourceName),
    lockNamespaceProblem(`${WITHIN}.resourceNamespace`, resourceNamespace),
  ]) {
    if (problem !== undefined) report(problem);
  }
};

export const LEADER_ELECTION: readonly ConfigRule[] = [
  positiveDurations,
  minimumLease,
  renewsWithinLease,
  retriesWithinDeadline,
  leaseLock,
  validLockName,
].map(whileElecting);
