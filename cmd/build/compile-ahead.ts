/**
 * Has the program compile what a start and the first requests need, and leave the outcome beside it (`cmd/coxswain/load-program.ts`): as only V8 knows which
 * functions those are, a check is made, and a server on each store is asked for the usual things.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { startPretendEtcd } from './pretend-etcd.ts';

const PATIENCE_MS = 30_000;
/** Of what a process that failed has said. */
const MOST_SAID = 2000;
/** Of a check that has found mistakes. */
const MISTAKES = 1;
const EXAMPLE = `apiVersion: controllermanager.config.k8s.io/v1alpha1
kind: LeaderMigrationConfiguration
leaderName: migration # the usual one
resourceLock: leases
controllerLeaders:
  - name: node-route-controller
    component: '*'
---
kind: Nothing
`;

/** Rejects when a command does not end as it should, or not within half a minute. */
export async function compileAhead(launcher: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'coxswain-build-'));
  try {
    const checking = ended(run(launcher, ['config', 'check', '-'], { input: EXAMPLE }), MISTAKES);
    // One after the other: each adds to what the one before has left.
    const serving = (async () => {
      await served(launcher, folder, []);
      const etcd = await startPretendEtcd();
      try {
        await served(launcher, folder, ['--etcd-servers', etcd.endpoint]);
      } finally {
        etcd.close();
      }
    })();
    for (const each of await Promise.allSettled([checking, serving])) if (each.status === 'rejected') throw each.reason;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A server is asked for the usual things, and is started again on what that has left. */
async function served(launcher: string, folder: string, store: readonly string[]): Promise<void> {
  for (const answersOf of [asked, read]) {
    const port = await freePort();
    const ports = ['--secure-port', String(await freePort()), '--insecure-port', String(port)];
    const server = run(launcher, ['serve', '--data-dir', folder, ...ports, ...store]);
    const closed = ended(server);
    closed.catch(() => undefined);
    try {
      await Promise.race([once(server.stdout, 'data'), closed]);
      await answersOf(`http://127.0.0.1:${port}/apis/batch/v1`);
    } finally {
      server.kill('SIGTERM');
    }
    await closed;
  }
}

const NAMES = Array.from({ length: 40 }, (_, index) => `example-${index}`);

async function asked(api: string): Promise<void> {
  const collection = `${api}/namespaces/default/cronjobs`;
  for (const name of NAMES) {
    const made = await fetched(collection, { method: 'POST', body: JSON.stringify(cronJob(name)), type: 'application/json' });
    await fetched(`${collection}/${name}`, { method: 'PUT', body: made, type: 'application/json' });
    await fetched(`${collection}/${name}`, {
      method: 'PATCH',
      body: '{"metadata":{"labels":{"a":"b"}}}',
      type: 'application/merge-patch+json',
    });
  }
  await read(api);
  await fetched(`${collection}/${NAMES[0] ?? ''}`, { method: 'DELETE' });
}

async function read(api: string): Promise<void> {
  const collection = `${api}/namespaces/default/cronjobs`;
  const queries = ['', '?limit=7', '?labelSelector=a%3Db', '?watch=true&timeoutSeconds=1&resourceVersion=0'];
  const tables = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  await Promise.all(queries.flatMap((query) => [fetched(`${api}/cronjobs${query}`), fetched(collection + query, tables)]));
  for (const name of NAMES) await fetched(`${collection}/${name}`);
  for (const address of ['/api', '/apis', '/openapi/v3', '/metrics', '/readyz']) await fetched(new URL(address, api).href);
}

interface Asked {
  readonly method?: string;
  readonly body?: string;
  readonly type?: string;
  readonly accept?: string;
}

/** The text of the answer, whatever it says: what counts is that the server has worked on it. */
async function fetched(url: string, { method = 'GET', body, type, accept = '*/*' }: Asked = {}): Promise<string> {
  const headers = { accept, ...(type === undefined ? {} : { 'content-type': type }) };
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }), signal: AbortSignal.timeout(PATIENCE_MS) });
  return answer.text();
}

const cronJob = (name: string): object => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name, labels: { app: name }, annotations: { note: name } },
  spec: {
    schedule: '*/5 * * * *',
    jobTemplate: {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/main:1', args: ['a', 'b'] }] } },
      },
    },
  },
});

/** Nothing that tells a server where its objects are, or a runtime how it should run. */
export const environmentOf = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(COXSWAIN|NODE)_/.test(name))),
  COXSWAIN_COMPILE_AHEAD: '1',
});

type Running = ChildProcessByStdio<Writable, Readable, Readable>;

function run(launcher: string, args: readonly string[], { input = '' } = {}): Running {
  const env = environmentOf(process.env);
  const child = spawn(launcher, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: PATIENCE_MS, killSignal: 'SIGKILL', env });
  child.stdin.on('error', () => undefined); // how it ended says more
  child.stdin.end(input);
  return child;
}

async function ended(child: Running, orderly = 0): Promise<void> {
  let said = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MOST_SAID)));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (code !== orderly) throw new Error(`"${child.spawnargs.slice(1).join(' ')}" ended with ${code ?? signal ?? 'nothing'}: ${said}`);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}
