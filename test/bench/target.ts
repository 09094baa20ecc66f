/** What is measured: a server that is started here on a store of its own, or any server at a base URL. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEtcd, type EtcdProcess } from '../support/etcd.ts';
import { freePorts } from '../support/free-port.ts';
import { referenceCertificate, startReference } from '../support/reference.ts';
import { startServer, temporaryDirectory, type RunningProcess } from '../support/server.ts';
import type { Address } from './connection.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { INSPECTABLE, liveMemory, type LiveMemory } from './live-memory.ts';
import { PEER, REFERENCE } from './options.ts';
import { startPeer } from './peer.ts';
import { TOKEN, TOKEN_FILE } from './bearer-token.ts';
import { cpuMs } from './process-figures.ts';
import { NAMESPACES, namespaceOf } from './sample-object.ts';
import type { Credentials } from './raw-connection.ts';

export interface Target {
  readonly name: string;
  readonly address: () => Address;
  readonly metrics: () => Promise<string>;
  /** Absent: the server runs elsewhere, and start-up, memory and CPU cannot be measured. */
  readonly own?: OwnServer;
  /** Of a server on this machine that is not ours to start and stop, for its CPU time. */
  readonly processId?: number;
  readonly close: () => Promise<void>;
}

export const PROTOCOLS = ['HTTP/1.1', 'HTTP/2'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/**
 * The same server over TLS, with the client certificate of its admin; undefined for one that runs elsewhere. Closing it
 * leaves the server alone.
 */
export function secureTarget(target: Target, protocol: Protocol): Target | undefined {
  const { own } = target;
  if (own === undefined) return undefined;
  const { port, ...credentials } = own.secure();
  const host = '127.0.0.1';
  const sessions = protocol === 'HTTP/2' ? new Http2Sessions({ url: `https://${host}:${port}`, ...credentials }) : undefined;
  return {
    ...target,
    address: () => ({ host, port, secure: { ...credentials, ...(sessions === undefined ? {} : { sessions }) } }),
    close: async () => sessions?.close(),
  };
}

/** The same server, of which every row is measured over HTTPS and HTTP/2. Closing it ends the server. */
export function overHttp2(target: Target): Target {
  const secure = secureTarget(target, 'HTTP/2');
  if (secure === undefined) throw new Error(`${target.name} has no secure port that is known`);
  return {
    ...secure,
    close: async () => {
      await secure.close();
      await target.close();
    },
  };
}

export interface OwnServer {
  readonly secure: () => Credentials & { readonly port: number };
  readonly pid: () => number;
  /** PEM texts of its secure port; absent: its key is not ours to use. */
  readonly serverCertificate?: () => { readonly cert: string; readonly key: string };
  /** `http://127.0.0.1:…`; absent: the embedded store. */
  readonly etcd?: { readonly endpoint: string; readonly version: string };
  /** Stops the server and starts it again on the same store. */
  readonly restart: () => Promise<void>;
  /** Of the last start: milliseconds until it was ready, and the CPU time it took for that. */
  readonly startUp: () => { readonly readyAfterMs: number; readonly cpuMs: number };
  /** Absent: it cannot be asked. */
  readonly liveMemory?: () => Promise<LiveMemory>;
}

const READY_MS = 60_000;

const addressOf = (baseUrl: string): Address => {
  const { hostname, port } = new URL(baseUrl);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? 80 : port) };
};

/** Empty where metrics want credentials, and of a server that has none. */
const metricsOf = async (baseUrl: string): Promise<string> => {
  if (baseUrl.startsWith('https:')) return '';
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

export type OwnTargetName = 'etcd' | 'embedded' | 'etcd3';

/** On loopback, with data that are synced to wherever the temporary folder is; etcd3: by that client of etcd. */
export function ownTarget(
  name: OwnTargetName,
  { by = 'certificate', flags: more = [] }: { by?: 'certificate' | 'token'; flags?: readonly string[] } = {},
): Promise<Target> {
  return startedTarget(name, {
    usesEtcd: name !== 'embedded',
    start: ({ directory, securePort, etcd }) => {
      const tokens = join(directory, 'tokens.csv');
      writeFileSync(tokens, TOKEN_FILE);
      const flags = ['--data-dir', directory, '--secure-port', String(securePort), '--token-auth-file', tokens, ...more];
      if (etcd !== undefined) flags.push('--etcd-servers', etcd.endpoint, '--etcd-client', name === 'etcd3' ? 'etcd3' : 'native');
      return startServer(flags, { readyMs: READY_MS, env: INSPECTABLE });
    },
    credentials: (directory) => {
      const pem = (file: string) => readFileSync(join(directory, 'pki', file), 'utf8');
      return { ca: pem('ca.crt'), ...(by === 'token' ? { token: TOKEN } : { cert: pem('admin.crt'), key: pem('admin.key') }) };
    },
    serverCertificate: (directory) => {
      const pem = (file: string) => readFileSync(join(directory, 'pki', file), 'utf8');
      return { cert: pem('server.crt'), key: pem('server.key') };
    },
    liveMemory,
  });
}

/**
 * The baseline: Kubernetes' own library, on an etcd of its own that is set up as that of ours. `program` is what
 * `buildPeer` gave.
 */
export function peerTarget(program: string): Promise<Target> {
  return startedTarget(PEER, {
    usesEtcd: true,
    start: ({ directory, securePort, etcd }) => {
      if (etcd === undefined || !canTellProgress(etcd.version)) {
        throw new Error(
          `the peer wants etcd 3.4.31, 3.5.13 or newer, not ${etcd?.version ?? 'none'}: with older ones it lists from etcd instead of its cache`,
        );
      }
      return startPeer(program, { directory, securePort, etcd: etcd.endpoint, readyMs: READY_MS });
    },
    credentials: (directory) => ({ ca: readFileSync(join(directory, 'ca.crt'), 'utf8') }),
  });
}

/**
 * The server of Kubernetes, on an etcd of its own that is set up as that of ours. `program` is what `buildReference`
 * gave.
 */
export function referenceTarget(program: string): Promise<Target> {
  return startedTarget(REFERENCE, {
    usesEtcd: true,
    start: ({ directory, securePort, etcd }) => {
      if (etcd === undefined || !canTellProgress(etcd.version)) {
        throw new Error(`the reference wants etcd 3.5.13 or newer, not ${etcd?.version ?? 'none'}`);
      }
      return startReference(program, {
        directory,
        securePort,
        etcd: etcd.endpoint,
        token: TOKEN,
        namespaces: Array.from({ length: NAMESPACES }, (_, index) => namespaceOf(index)),
        readyMs: READY_MS,
      });
    },
    credentials: (directory) => ({ ca: referenceCertificate(directory), token: TOKEN }),
  });
}

/** Kubernetes trusts the progress notifications of these alone (`feature_support_checker.go` of k8s.io/apiserver). */
export function canTellProgress(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major !== 3 || minor > 5) return major > 3 || minor > 5;
  return minor === 5 ? patch >= 13 : minor === 4 && patch >= 31;
}

interface StartedOptions {
  readonly usesEtcd: boolean;
  readonly start: (place: Place) => Promise<Running>;
  /** For its secure port, once it has been started. */
  readonly credentials: (directory: string) => Credentials;
  /** Of its secure port, with its key; absent: nobody else may use it. */
  readonly serverCertificate?: (directory: string) => { readonly cert: string; readonly key: string };
  /** Absent: it cannot be asked. */
  readonly liveMemory?: (running: Running) => Promise<LiveMemory>;
}

interface Place {
  readonly directory: string;
  readonly securePort: number;
  readonly etcd?: { readonly endpoint: string; readonly version: string };
}

type Running = RunningProcess & { readonly baseUrl: string };

async function startedTarget(name: string, options: StartedOptions): Promise<Target> {
  const directory = await temporaryDirectory();
  let etcd: EtcdProcess | undefined;
  const release = async () => {
    await etcd?.close();
    await directory.remove();
  };
  try {
    const [securePort = 0] = await freePorts(1);
    // The default quota of 2 GB is what 100,000 objects with their history may need; a benchmark is no place to run
    // into it.
    if (options.usesEtcd) etcd = await startEtcd({ durable: true, flags: ['--quota-backend-bytes', String(8 * 1024 ** 3)] });
    const place: Place = {
      directory: directory.path,
      securePort,
      ...(etcd === undefined ? {} : { etcd: { endpoint: etcd.endpoint, version: await versionOf(etcd.endpoint) } }),
    };
    return await targetAt(name, place, options, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function targetAt(name: string, place: Place, options: StartedOptions, release: () => Promise<void>): Promise<Target> {
  const { start, credentials, serverCertificate, liveMemory: ask } = options;
  const launched = async () => {
    const running = await start(place);
    return { running, cpuMs: cpuMs(running.pid) ?? 0 };
  };
  let server = await launched();
  return {
    name,
    address: () => addressOf(server.running.baseUrl),
    metrics: () => metricsOf(server.running.baseUrl),
    own: {
      pid: () => server.running.pid,
      ...(place.etcd === undefined ? {} : { etcd: place.etcd }),
      secure: () => ({ port: place.securePort, ...credentials(place.directory) }),
      ...(serverCertificate === undefined ? {} : { serverCertificate: () => serverCertificate(place.directory) }),
      startUp: () => ({ readyAfterMs: server.running.readyAfterMs, cpuMs: server.cpuMs }),
      ...(ask === undefined ? {} : { liveMemory: () => ask(server.running) }),
      restart: async () => {
        try {
          await server.running.stop();
        } finally {
          server = await launched();
        }
      },
    },
    close: async () => {
      try {
        await server.running.stop();
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
