/**
 * etcd for tests. `openEtcd` gives one that a whole file shares, isolated by prefix: from `ETCD_ENDPOINTS`, else a
 * program on this machine, else a container. `startEtcd` gives a process of the test's own, to be killed, restarted or
 * set up with TLS and users.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEtcdBinary, type EtcdBinary } from './etcd-binary.ts';
import { freePorts } from './free-port.ts';
import { waitFor } from './wait.ts';

const CONTAINER_IMAGE = 'quay.io/coreos/etcd:v3.5.30';
const START_MS = 20_000;
const PORT_TRIES = 5;

export interface Etcd {
  readonly endpoints: readonly string[];
  close(): Promise<void>;
}

/** Throws, naming all four places it looked in, when there is no etcd. Never opens one that keeps data. */
export async function openEtcd(): Promise<Etcd> {
  const named = process.env['ETCD_ENDPOINTS'];
  if (named !== undefined && named !== '') {
    const endpoints = named.split(',').map((endpoint) => (endpoint.includes('://') ? endpoint : `http://${endpoint}`));
    return { endpoints, close: async () => undefined };
  }
  const { binary, why } = await findEtcdBinary();
  if (binary !== undefined) {
    const started = await startEtcd({ binary });
    return { endpoints: [started.endpoint], close: () => started.close() };
  }
  try {
    const { EtcdContainer } = await import('@testcontainers/etcd');
    const container = await new EtcdContainer(CONTAINER_IMAGE).start();
    return {
      endpoints: [container.getClientEndpoint()],
      close: async () => {
        await container.stop();
      },
    };
  } catch (error) {
    const container = error instanceof Error ? error.message : 'failed';
    throw new Error(
      `The tests need an etcd and found none. ETCD_ENDPOINTS is not set; ${why}; a container (${CONTAINER_IMAGE}): ${container}`,
      {
        cause: error,
      },
    );
  }
}

export interface EtcdOptions {
  /** The one to run; found when absent. */
  readonly binary?: EtcdBinary;
  readonly name?: string;
  /** Of the whole cluster; the process alone when absent. */
  readonly cluster?: { readonly peers: readonly { readonly name: string; readonly port: number }[]; readonly token: string };
  readonly ports?: { readonly client: number; readonly peer: number };
  /** `https` with these flags; `http` when absent. */
  readonly tlsFlags?: readonly string[];
  readonly flags?: readonly string[];
  /** Data outlive the machine's crash, not only the process's: on disk and synced. */
  readonly durable?: boolean;
}

/** One etcd process on loopback, with its data in a directory of its own. */
export interface EtcdProcess {
  readonly endpoint: string;
  readonly host: string;
  readonly port: number;
  /** Sends the signal and waits for the end. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** The kernel holds all its threads, or lets them go on. */
  pause(): void;
  resume(): void;
  /** Starts it again on the same ports and data. It must have ended. */
  start(): Promise<void>;
  /** Copies the data into a new directory. It must have ended. */
  copyData(): Promise<string>;
  /** Puts a copy, or nothing, in the place of the data. It must have ended. */
  replaceData(copy: string | undefined): Promise<void>;
  /** It leads its cluster. */
  isLeader(): Promise<boolean>;
  /** Ends it and removes all data. May be called twice. */
  close(): Promise<void>;
}

export function startEtcd(options: EtcdOptions = {}): Promise<EtcdProcess> {
  return onFreePorts(() => startOne(options));
}

/** A port that was free may be another process' a moment later (`freePorts`): then others are tried. */
async function onFreePorts<T>(start: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries === PORT_TRIES || !String(error).includes('address already in use')) throw error;
    }
  }
}

async function startOne(options: EtcdOptions): Promise<EtcdProcess> {
  const etcd = await prepareEtcd(options);
  try {
    await etcd.start();
    return etcd;
  } catch (error) {
    await etcd.close();
    throw error;
  }
}

/** Three members of one cluster. */
export function startEtcdCluster(): Promise<readonly EtcdProcess[]> {
  return onFreePorts(startThree);
}

async function startThree(): Promise<readonly EtcdProcess[]> {
  const binary = await needBinary();
  const names = ['m0', 'm1', 'm2'];
  const ports = await freePorts(2 * names.length);
  const portAt = (index: number) => ports[index] ?? 0;
  const cluster = { peers: names.map((name, index) => ({ name, port: portAt(index) })), token: `test-${portAt(0)}` };
  const members = await Promise.all(
    names.map((name, index) =>
      prepareEtcd({ binary, name, cluster, ports: { peer: portAt(index), client: portAt(names.length + index) } }),
    ),
  );
  try {
    await Promise.all(members.map((member) => member.start()));
    return members;
  } catch (error) {
    await Promise.all(members.map((member) => member.close()));
    throw error;
  }
}

async function needBinary(): Promise<EtcdBinary> {
  const { binary, why } = await findEtcdBinary();
  if (binary === undefined) throw new Error(`This test kills or sets up an etcd of its own and needs its program: ${why}`);
  return binary;
}

async function prepareEtcd(options: EtcdOptions): Promise<EtcdProcess> {
  const binary = options.binary ?? (await needBinary());
  const root = await mkdtemp(join(options.durable === true || binary.canSkipSync ? tmpdir() : memoryDirectory(), 'coxswain-etcd-'));
  const data = join(root, 'data');
  const [clientPort = 0, peerPort = 0, metricsPort = 0] = await freePorts(3);
  const port = options.ports?.client ?? clientPort;
  const args = etcdFlags(options, { client: port, peer: options.ports?.peer ?? peerPort, metrics: metricsPort }, data, binary);
  let child: ChildProcess | undefined;
  let copies = 0;
  let output = '';

  const ended = (process: ChildProcess) => process.exitCode !== null || process.signalCode !== null;
  const killAtExit = (): void => {
    child?.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  };
  process.once('exit', killAtExit);

  async function kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const running = child;
    if (running === undefined || ended(running)) return;
    const end = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await end;
  }

  async function start(): Promise<void> {
    output = '';
    const started = spawn(binary.path, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch },
    });
    child = started;
    const keep = (text: string): void => {
      output = (output + text).slice(-4000);
    };
    started.stdout.setEncoding('utf8').on('data', keep);
    started.stderr.setEncoding('utf8').on('data', keep);
    const end = new Promise<never>((_, reject) => {
      started.once('error', reject);
      started.once('exit', (code, signal) => reject(new Error(`etcd ended with ${code ?? signal ?? '?'}:\n${output}`)));
    });
    await Promise.race([
      end,
      waitFor(() => isHealthy(metricsPort), { what: () => `etcd to be healthy:\n${output}`, timeoutMs: START_MS, everyMs: 15 }),
    ]);
    // From here on an end is what the test wants.
    end.catch(() => undefined);
  }

  return {
    endpoint: `${options.tlsFlags === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    isLeader: async () => (await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).includes('\netcd_server_is_leader 1'),
    copyData: async () => {
      const copy = join(root, `copy-${++copies}`);
      await cp(data, copy, { recursive: true });
      return copy;
    },
    replaceData: async (copy) => {
      await rm(data, { recursive: true, force: true });
      if (copy !== undefined) await cp(copy, data, { recursive: true });
    },
    close: async () => {
      process.removeListener('exit', killAtExit);
      await kill('SIGKILL');
      await rm(root, { recursive: true, force: true });
    },
  };
}

function etcdFlags(
  { name = 'test', cluster, tlsFlags, flags = [], durable }: EtcdOptions,
  ports: { readonly client: number; readonly peer: number; readonly metrics: number },
  data: string,
  binary: EtcdBinary,
): string[] {
  const client = `${tlsFlags === undefined ? 'http' : 'https'}://127.0.0.1:${ports.client}`;
  const peer = `http://127.0.0.1:${ports.peer}`;
  const peers = cluster?.peers.map((each) => `${each.name}=http://127.0.0.1:${each.port}`) ?? [`${name}=${peer}`];
  return [
    ...['--name', name, '--data-dir', data, '--log-level', 'warn'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', peers.join(','), '--initial-cluster-token', cluster?.token ?? `test-${ports.peer}`],
    ...['--listen-metrics-urls', `http://127.0.0.1:${ports.metrics}`],
    // Elections in a fraction of the usual time; three members on a busy machine need some air.
    ...(cluster === undefined
      ? ['--heartbeat-interval', '10', '--election-timeout', '50']
      : ['--heartbeat-interval', '50', '--election-timeout', '500']),
    ...(binary.canSkipSync && durable !== true ? ['--unsafe-no-fsync'] : []),
    ...(tlsFlags ?? []),
    ...flags,
  ];
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1000) });
    return answer.ok && (await answer.text()).includes('true');
  } catch {
    return false;
  }
}

/** A file system in memory, where syncing costs nothing; the ordinary one for temporary files where there is none. */
function memoryDirectory(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}
