/** All scenarios against a server on one store. */
import type { RunningProcess } from '../support/server.ts';
import type { BackendName } from '../support/test-store.ts';
import { startControllerManager } from './controller-manager.ts';
import { createCronJobs } from './cron-jobs.ts';
import type { Scenario } from './scenario.ts';
import { forbid, replace } from './scenarios/concurrency.ts';
import { deletion } from './scenarios/deletion.ts';
import { history } from './scenarios/history.ts';
import { restart, takeOver } from './scenarios/processes.ts';
import { missed, onTime, suspend } from './scenarios/schedule.ts';
import { openTarget } from './target.ts';

/** Shorter than the defaults, so that the second leads within seconds. */
const ELECTION_FLAGS = {
  'leader-elect': 'true',
  'leader-elect-lease-duration': '5s',
  'leader-elect-renew-deadline': '4s',
  'leader-elect-retry-period': '1s',
};
/** Those that are built in run beside them. */
const BESIDE = ['cronjob-controller', 'garbage-collector-controller', 'namespace-controller', 'ttl-after-finished-controller'];

export interface PlayOptions {
  readonly backend: BackendName;
  /** The kube-controller-manager. */
  readonly program: string;
  readonly minutes: number;
  readonly say: (line: string) => void;
}

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

export async function play({ backend, program, minutes, say }: PlayOptions): Promise<Outcome> {
  const target = await openTarget(backend);
  const managers: RunningProcess[] = [];
  const { kubeconfig } = target;
  let passed = 0;
  let failed = 0;
  const run = async (namespace: string, scenario: Scenario) => {
    const begun = performance.now();
    const seconds = () => `${((performance.now() - begun) / 1000).toFixed(0)} s`;
    try {
      await target.apis.core.createNamespace({ body: { metadata: { name: namespace } } });
      const remark = await scenario({ target, namespace, cronJobs: createCronJobs(target.apis, namespace), minutes });
      passed++;
      say(`passed  ${namespace} on ${backend}, ${seconds()}${remark === undefined ? '' : `: ${remark}`}`);
    } catch (error) {
      failed++;
      say(`failed  ${namespace} on ${backend}, ${seconds()}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  };
  try {
    const alone = await startControllerManager({
      program,
      kubeconfig,
      controllers: ['cronjob-controller'],
      flags: { 'leader-elect': 'false' },
    });
    managers.push(alone);
    await Promise.all([
      run('on-time', onTime),
      run('suspend', suspend),
      run('missed', missed),
      run('forbid', forbid),
      run('replace', replace),
      run('history', history),
      run('deletion', deletion),
    ]);
    await run('restart', restart);
    await alone.kill();
    const two = await Promise.all(
      [1, 2].map(() => startControllerManager({ program, kubeconfig, controllers: BESIDE, flags: ELECTION_FLAGS })),
    );
    managers.push(...two);
    await run('take-over', takeOver(two));
    await run('deletion-beside', deletion);
  } finally {
    for (const manager of managers) await manager.kill();
    await target.close();
  }
  return { passed, failed };
}
