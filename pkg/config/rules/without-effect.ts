/** Settings that another field of the same document leaves without effect. Those of controllers that are off: see without-controller.ts. */
import { isComponent } from '../config-document.ts';
import type { Rule } from './rule.ts';

const ELECTION = 'Generic.LeaderElection';
const DEBUGGING = 'Generic.Debugging';
const ATTACH = 'AttachDetachController';

const leaderElectionThatIsOff: Rule = (document, report, { changed }) => {
  if (!isComponent(document) || document.config.Generic.LeaderElection.leaderElect) return;
  const about = [`${ELECTION}.leaderElect`];
  for (const { path } of changed) {
    if (!path.startsWith(`${ELECTION}.`) || about.includes(path)) continue;
    report({ path, about, severity: 'warning', reason: 'NoEffect', message: 'has no effect while leaderElect is false' });
  }
};

const profilingThatIsOff: Rule = (document, report) => {
  if (!isComponent(document)) return;
  const { enableProfiling, enableContentionProfiling } = document.config.Generic.Debugging;
  if (enableProfiling || !enableContentionProfiling) return;
  report({
    path: `${DEBUGGING}.enableContentionProfiling`,
    about: [`${DEBUGGING}.enableProfiling`],
    severity: 'warning',
    reason: 'NoEffect',
    message: 'has no effect while enableProfiling is false',
  });
};

const reconcilerThatIsOff: Rule = (document, report, { changed }) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  if (!document.config.AttachDetachController.DisableAttachDetachReconcilerSync) return;
  const period = `${ATTACH}.ReconcilerSyncLoopPeriod`;
  if (!changed.some(({ path }) => path === period)) return;
  report({
    path: period,
    about: [`${ATTACH}.DisableAttachDetachReconcilerSync`],
    severity: 'warning',
    reason: 'NoEffect',
    message: 'has no effect while DisableAttachDetachReconcilerSync is true',
  });
};

export const WITHOUT_EFFECT: readonly Rule[] = [leaderElectionThatIsOff, profilingThatIsOff, reconcilerThatIsOff];
