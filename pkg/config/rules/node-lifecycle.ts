/** Rules for the relation between node heartbeats and how often they are checked. */
import { nanosecondsOf } from './durations.ts';
import type { ConfigRule } from './rule.ts';

const GRACE = 'NodeLifecycleController.NodeMonitorGracePeriod';
const PERIOD = 'NodeLifecycleController.NodeMonitorPeriod';

/** The default HTTP/2 timeouts: HTTP2_READ_IDLE_TIMEOUT_SECONDS 30 and HTTP2_PING_TIMEOUT_SECONDS 15. */
const HTTP2_TIMEOUTS = '45s';

const graceExceedsPeriod: ConfigRule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { NodeMonitorGracePeriod: grace, NodeMonitorPeriod: period } = document.config.NodeLifecycleController;
  if (nanosecondsOf(grace) <= 0n) return;
  if (nanosecondsOf(grace) <= nanosecondsOf(period)) {
    report({
      path: GRACE,
      relatedPaths: [PERIOD],
      reason: 'NodeMonitor',
      message: `must be more than NodeMonitorPeriod, ${period}, not ${grace}`,
    });
  } else if (nanosecondsOf(grace) <= nanosecondsOf(HTTP2_TIMEOUTS)) {
    report({
      path: GRACE,
      severity: 'warning',
      reason: 'NodeMonitor',
      message: `should be more than ${HTTP2_TIMEOUTS}, the time after which a dead HTTP/2 connection is noticed, not ${grace}`,
    });
  }
};

export const NODE_LIFECYCLE: readonly ConfigRule[] = [graceExceedsPeriod];
