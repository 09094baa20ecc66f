/** What is measured: a server of ours, started here on a store of its own, or any server at a base URL. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEtcd, type EtcdProcess } from '../support/etcd.ts';
import { freePorts } from '../support/free-port.ts';
import { startServer, temporaryDirectory, type ServerProcess } from '../support/server.ts';
import type { Address } from './connection.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { INSPECTABLE, liveMemory, type LiveMemory } from './live-memory.ts';
import { cpuMs } from './process-figures.ts';

export interface Target {
  readonly name: string;
  readonly address: () => Address;
  readonly metrics: () => Promise<string>;
  /** Absent: the server runs elsewhere, and start-up, memory and CPU cannot be measured. */
  readonly own?: OwnServer;
  /** Of a server that runs here without being one of ours, for its CPU time. */
  readonly processId?: number;
  readonly close: () => Promise<void>;
}

/** The same server over TLS, with the client certificate of its admin. */
export interface SecureTarget extends Target {
  /** `, HTTPS HTTP/2` */
  readonly over: string;
}

/** One over HTTP/1.1, one over HTTP/2; none for a server that runs elsewhere. */
export function secureTargets(target: Target): readonly SecureTarget[] {
  const { own } = target;
  if (own === undefined) return [];
  const { port, ...credentials } = own.secure();
  const host = '127.0.0.1';
  const sessions = new Http2Sessions({ url: `https://${host}:${port}`, ...credentials });
  return [
    { ...target, over: ', HTTPS HTTP/1.1', address: () => ({ host, port, secure: credentials }), close: async () => {} },
    {
      ...target,
      over: ', HTTPS HTTP/2',
      address: () => ({ host, port, secure: { ...credentials, sessions } }),
      close: async () => sessions.close(),
    },
  ];
}

export interface OwnServer {
  /** PEM texts. */
  readonly secure: () => { readonly port: number; readonly ca: string; readonly cert: string; readonly key: string };
  readonly pid: () => number;
  /** `http://127.0.0.1:…`; absent: the embedded store. */
  readonly etcd?: { readonly endpoint: string; readonly version: string };
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

async function versionOf(etcd: string): Promise<string> {
  const answer = (await (await fetch(`${etcd}/version`)).json()) as { readonly etcdserver?: string };
  return answer.etcdserver ?? '';
}

export function urlTarget(name: string, baseUrl: string): Target {
  if (!baseUrl.startsWith('http://')) throw new Error(`--url takes plain http:// only, not ${baseUrl}`);
  return { name, address: () => addressOf(baseUrl), metrics: () => metricsOf(baseUrl), close: async () => {} };
}

/** On loopback, with data that are really synced to disk. */
export async function ownTarget(backend: 'etcd' | 'embedded'): Promise<Target> {
  const directory = await temporaryDirectory();
  const [securePort = 0] = await freePorts(1);
  let etcd: EtcdProcess | undefined;
  let etcdVersion = '';
  const flags = ['--data-dir', directory.path, '--secure-port', String(securePort)];
  if (backend === 'etcd') {
    // The default quota of 2 GB is what 100,000 objects with their history may need; a benchmark is no place to run into it.
    etcd = await startEtcd({ durable: true, flags: ['--quota-backend-bytes', String(8 * 1024 ** 3)] });
    flags.push('--etcd-servers', etcd.endpoint);
    etcdVersion = await versionOf(etcd.endpoint);
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
      ...(etcd === undefined ? {} : { etcd: { endpoint: etcd.endpoint, version: etcdVersion } }),
      secure: () => {
        const pem = (name: string) => readFileSync(join(directory.path, 'pki', name), 'utf8');
        return { port: securePort, ca: pem('ca.crt'), cert: pem('admin.crt'), key: pem('admin.key') };
      },
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

export function serverCpuMs({ own, processId }: Target): number | undefined {
  const pid = own?.pid() ?? processId;
  return pid === undefined ? undefined : cpuMs(pid);
}
