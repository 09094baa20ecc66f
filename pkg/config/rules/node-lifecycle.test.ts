import { describe, expect, it } from '@jest/globals';
import { judgedCluster } from '../../../test/support/judged-config.ts';

describe('NodeMonitorGracePeriod', () => {
  const GRACE = 'NodeLifecycleController.NodeMonitorGracePeriod';
  it.each([
    ['NodeMonitorGracePeriod: 5s', `error ${GRACE}: must be more than NodeMonitorPeriod, 5s, not 5s`],
    ['NodeMonitorPeriod: 1m', `error ${GRACE}: must be more than NodeMonitorPeriod, 1m0s, not 50s`],
    [
      'NodeMonitorGracePeriod: 45s',
      `warning ${GRACE}: should be more than 45s, the time after which a dead HTTP/2 connection is noticed, not 45s`,
    ],
  ])('%s', (text, problem) => expect(judgedCluster(`NodeLifecycleController: {${text}}`)).toEqual([problem]));

  it.each(['NodeMonitorGracePeriod: 46s', 'NodeMonitorPeriod: 49s', 'NodeMonitorGracePeriod: 1h'])('%s is fine', (text) =>
    expect(judgedCluster(`NodeLifecycleController: {${text}}`)).toEqual([]),
  );

  it('may be close to the period only if the period is long', () => {
    expect(judgedCluster('NodeLifecycleController: {NodeMonitorGracePeriod: 61s, NodeMonitorPeriod: 1m}')).toEqual([]);
  });
});
