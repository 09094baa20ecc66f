/** Reports settings that have no effect because of another field. */
import { isComponent } from '../config-document.ts';
import type { ConfigRule } from './rule.ts';

const ELECTION = 'Generic.LeaderElection';
const DEBUGGING = 'Generic.Debugging';
const ATTACH = 'AttachDetachController';

const disabledLeaderElection: ConfigRule = (document, report, { changed }) => {
  if (!isComponent(document) || document.config.Generic.LeaderElection.leaderElect) return;
  const relatedPaths = [`${ELECTION}.leaderElect`];
  for (const { path } of changed) {
    if (!path.startsWith(`${ELECTION}.`) || relatedPaths.includes(path)) continue;
    report({ path, relatedPaths, severity: 'warning', reason: 'NoEffect', message: 'has no effect while leaderElect is false' });
  }
};

const disabledProfiling: ConfigRule = (document, report) => {
  if (!isComponent(document)) return;
  const { enableProfiling, enableContentionProfiling } = document.config.Generic.Debugging;
  if (enableProfiling || !enableContentionProfiling) return;
  report({
    path: `${DEBUGGING}.enableContentionProfiling`,
    relatedPaths: [`${DEBUGGING}.enableProfiling`],
    severity: 'warning',
    reason: 'NoEffect',
    message: 'has no effect while enableProfiling is false',
  });
};

const disabledReconciler: ConfigRule = (document, report, { changed }) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  if (!document.config.AttachDetachController.DisableAttachDetachReconcilerSync) return;
  const period = `${ATTACH}.ReconcilerSyncLoopPeriod`;
  if (!changed.some(({ path }) => path === period)) return;
  report({
    path: period,
    relatedPaths: [`${ATTACH}.DisableAttachDetachReconcilerSync`],
    severity: 'warning',
    reason: 'NoEffect',
    message: 'has no effect while DisableAttachDetachReconcilerSync is true',
  });
};

export const WITHOUT_EFFECT: readonly ConfigRule[] = [disabledLeaderElection, disabledProfiling, disabledReconciler];
