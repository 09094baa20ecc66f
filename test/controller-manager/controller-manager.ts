/** Kubernetes' kube-controller-manager against a server of ours, run as docs/controllers.md says. */
import { request } from 'node:https';
import { freePorts } from '../support/free-port.ts';
import { launch, type RunningProcess } from '../support/server.ts';

const READY_MS = 60_000;

export interface ControllerManagerOptions {
  readonly program: string;
  readonly kubeconfig: string;
  /** By the names of Kubernetes. */
  readonly controllers: readonly string[];
  readonly flags?: Readonly<Record<string, string>>;
}

/** Its `stop` is of no use: a signal ends it with a code of its own. */
export async function startControllerManager(options: ControllerManagerOptions): Promise<RunningProcess> {
  const { program, kubeconfig, controllers, flags = {} } = options;
  const [port = 0] = await freePorts(1);
  const all = {
    kubeconfig,
    controllers: controllers.join(','),
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
    ...flags,
  };
  return launch(
    Object.entries(all).map(([name, value]) => `--${name}=${value}`),
    { port, launcher: program, readyMs: READY_MS, isReady: () => isHealthy(port) },
  );
}

const isHealthy = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path: '/healthz', rejectUnauthorized: false, agent: false, timeout: 5000 },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.once('error', reject);
    asked.end();
  });
