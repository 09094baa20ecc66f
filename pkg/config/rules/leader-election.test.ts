import { describe, expect, it } from '@jest/globals';
import { judgedCloud, judgedCluster } from '../../../test/support/judged-config.ts';

const election = (text: string) => judgedCluster(`Generic: {LeaderElection: {${text}}}`);
const WITHIN = 'Generic.LeaderElection';
const RENEW = `${WITHIN}.renewDeadline`;

describe('leader election', () => {
  it.each([
    ['renewDeadline: 16s', `error ${RENEW}: must be at most leaseDuration, 15s, not 16s`],
    ['leaseDuration: 8s', `error ${RENEW}: must be at most leaseDuration, 8s, not 10s`],
    [
      'renewDeadline: 15s',
      `warning ${RENEW}: is leaseDuration, 15s: allowed here, but a component does not start with it; it must be less`,
    ],
    ['renewDeadline: 2s', `error ${RENEW}: must be more than 1.2 times retryPeriod, 2.4s, not 2s`],
    ['renewDeadline: 2.4s', `error ${RENEW}: must be more than 1.2 times retryPeriod, 2.4s, not 2.4s`],
    ['retryPeriod: 0s', `error ${WITHIN}.retryPeriod: must be more than 0s, not 0s`],
    ['renewDeadline: 0s', `error ${RENEW}: must be more than 0s, not 0s`],
    ['leaseDuration: -1s', `error ${WITHIN}.leaseDuration: must be more than 0s, not -1s`],
    [
      'leaseDuration: 999ms, renewDeadline: 800ms, retryPeriod: 100ms',
      `error ${WITHIN}.leaseDuration: must be 1s or more, since a lease counts seconds, not 999ms`,
    ],
    ['resourceLock: endpoints', `error ${WITHIN}.resourceLock: must be leases while leaderElect is true, not "endpoints"`],
    ['resourceLock: endpointsleases', `error ${WITHIN}.resourceLock: must be leases while leaderElect is true, not "endpointsleases"`],
    ['resourceName: ""', `error ${WITHIN}.resourceName: must be set: it names the lock`],
    ['resourceNamespace: ""', `error ${WITHIN}.resourceNamespace: must be set: it names the lock`],
    [
      'resourceName: My_Lock',
      `error ${WITHIN}.resourceName: must be a name of lower case letters, digits, - and ., with a letter or digit at both ends, not "My_Lock"`,
    ],
    [
      'resourceNamespace: a.b',
      `error ${WITHIN}.resourceNamespace: must be a name of up to 63 lower case letters, digits and -, with a letter or digit at both ends, not "a.b"`,
    ],
  ])('%s', (text, problem) => expect(election(text)).toEqual([problem]));

  it.each([
    'renewDeadline: 14.9s',
    'renewDeadline: 2.401s',
    'leaseDuration: 1s, renewDeadline: 800ms, retryPeriod: 100ms',
    'retryPeriod: 1ns',
    'resourceLock: leases',
    'resourceName: my.lock-1, resourceNamespace: cluster-system',
    'leaderElect: false',
  ])('accepts %s', (text) => expect(election(text)).toEqual([]));

  it('returns all problems at once', () => {
    expect(judgedCloud('Generic: {LeaderElection: {leaseDuration: 5s, renewDeadline: 6s, retryPeriod: 5s, resourceLock: x}}')).toEqual([
      `error ${RENEW}: must be at most leaseDuration, 5s, not 6s`,
      `error ${RENEW}: must be more than 1.2 times retryPeriod, 6s, not 6s`,
      `error ${WITHIN}.resourceLock: must be leases while leaderElect is true, not "x"`,
    ]);
  });

  it('ignores invalid settings while it is off, but warns that they have no effect', () => {
    expect(election('leaderElect: false, renewDeadline: 1h, resourceLock: any, retryPeriod: 0s, resourceName: ""')).toEqual(
      ['renewDeadline', 'resourceLock', 'retryPeriod', 'resourceName'].map(
        (field) => `warning ${WITHIN}.${field}: has no effect while leaderElect is false`,
      ),
    );
    expect(election('leaderElect: false, renewDeadline: 10s, resourceLock: leases')).toEqual([]);
  });
});
