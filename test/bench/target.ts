/** What is measured: a server of ours, started here on a store of its own, or any server at a base URL. */
import { startEtcd, type EtcdProcess } from '../support/etcd.ts';
import { startServer, temporaryDirectory, type ServerProcess } from '../support/server.ts';
import type { Address } from './connection.ts';
import { INSPECTABLE, liveMemory, type LiveMemory } from './live-memory.ts';
import { cpuMs } from './process-figures.ts';

export interface Target {
  readonly name: string;
  readonly address: () => Address;
  readonly metrics: () => Promise<string>;
  /** Absent: the server runs elsewhere, and start-up, memory and CPU cannot be measured. */
  readonly own?: OwnServer;
  readonly close: () => Promise<void>;
}

export interface OwnServer {
  readonly pid: () => number;
  /** Stops the server and starts it again on the same store. */
  readonly restart: () => Promise<void>;
  /** Of the last start: milliseconds until it was ready, and the CPU time it took for that. */
  readonly startUp: () => { readonly readyAfterMs: number; readonly cpuMs: number };
  readonly liveMemory: () => Promise<LiveMemory>;
}

const START = { readyMs: 60_000, env: INSPECTABLE };

const addressOf = (baseUrl: string): Address => {
  const { hostname, port } = new URL(baseUrl);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? 80 : port) };
};

const metricsOf = async (baseUrl: string): Promise<string> => {
  const answer = await fetch(`${baseUrl}/metrics`);
  return answer.ok ? answer.text() : '';
};

export function urlTarget(name: string, baseUrl: string): Target {
  if (!baseUrl.startsWith('http://')) throw new Error(`--url takes plain http:// only, not ${baseUrl}`);
  return { name, address: () => addressOf(baseUrl), metrics: () => metricsOf(baseUrl), close: async () => {} };
}

/** On loopback, with data that are really synced to disk. */
export async function ownTarget(backend: 'etcd' | 'embedded'): Promise<Target> {
  const directory = await temporaryDirectory();
  let etcd: EtcdProcess | undefined;
  let flags = ['--data-dir', directory.path];
  if (backend === 'etcd') {
    // The default quota of 2 GB is what 100,000 objects with their history may need; a benchmark is no place to run into it.
    etcd = await startEtcd({ durable: true, flags: ['--quota-backend-bytes', String(8 * 1024 ** 3)] });
    flags = ['--etcd-servers', etcd.endpoint];
  }
  const release = async () => {
    await etcd?.close();
    await directory.remove();
  };
  let server: ServerProcess;
  try {
    server = await startServer(flags, START);
  } catch (error) {
    await release();
    throw error;
  }
  let startCpuMs = cpuMs(server.pid) ?? 0;
  return {
    name: backend,
    address: () => addressOf(server.baseUrl),
    metrics: () => metricsOf(server.baseUrl),
    own: {
      pid: () => server.pid,
      startUp: () => ({ readyAfterMs: server.readyAfterMs, cpuMs: startCpuMs }),
      liveMemory: () => liveMemory(server),
      restart: async () => {
        await server.stop();
        server = await startServer(flags, START);
        startCpuMs = cpuMs(server.pid) ?? 0;
      },
    },
    close: async () => {
      try {
        await server.stop();
      } finally {
        await release();
      }
    },
  };
}

export const serverCpuMs = (target: Target): number | undefined => (target.own === undefined ? undefined : cpuMs(target.own.pid()));
