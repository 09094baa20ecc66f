/** How often a client may ask. */
import { isComponent } from '../config-document.ts';
import type { Rule } from './rule.ts';

const WITHIN = 'Generic.ClientConnection';

/** A limit that lets nothing through is refused where the client is made; without a rate there is no limit. */
const burstOfSomething: Rule = (document, report) => {
  if (!isComponent(document)) return;
  const { qps, burst } = document.config.Generic.ClientConnection;
  if (burst !== 0 || qps <= 0) return;
  report({
    path: `${WITHIN}.burst`,
    about: [`${WITHIN}.qps`],
    severity: 'warning',
    reason: 'Unavailable',
    message: `is 0: allowed here, but a component does not start with it while qps is more than 0, ${qps}; it must be 1 or more`,
  });
};

export const CLIENT_CONNECTION: readonly Rule[] = [burstOfSomething];
