/** Rules for client rate limits. */
import { isComponent } from '../config-document.ts';
import type { ConfigRule } from './rule.ts';

const WITHIN = 'Generic.ClientConnection';

/** Components fail to start with a limit that admits no request; without a rate there is no limit. */
const positiveBurst: ConfigRule = (document, report) => {
  if (!isComponent(document)) return;
  const { qps, burst } = document.config.Generic.ClientConnection;
  if (burst !== 0 || qps <= 0) return;
  report({
    path: `${WITHIN}.burst`,
    relatedPaths: [`${WITHIN}.qps`],
    severity: 'warning',
    reason: 'Unavailable',
    message: `is 0: allowed here, but a component does not start with it while qps is more than 0, ${qps}; it must be 1 or more`,
  });
};

export const CLIENT_CONNECTION: readonly ConfigRule[] = [positiveBurst];
