/**
 * The yardstick of the budget, measured in the same run: `peer/` is a small program in Go on Kubernetes' own server
 * library, with its registries, watch cache and storage in protobuf. It is built from public modules when it is wanted,
 * which takes minutes the first time and wants Go 1.26 or newer.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createApi } from '../support/api.ts';
import { freePorts } from '../support/free-port.ts';
import { launch, type RunningProcess } from '../support/server.ts';

const SOURCES = join(import.meta.dirname, 'peer');
const PROGRAM = resolve(import.meta.dirname, '../../node_modules/.cache/bench-peer/apiserver');
const BUILD_MS = 1_800_000;

/** Resolves with the program's path. */
export async function buildPeer(): Promise<string> {
  await promisify(execFile)('go', ['build', '-o', PROGRAM, '.'], { cwd: SOURCES, timeout: BUILD_MS, maxBuffer: 1 << 24 }).catch(
    (error: unknown) => {
      throw new Error(`the peer needs Go and its modules to be built: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    },
  );
  return PROGRAM;
}

/** The version of Kubernetes that it is built of: `1.36.4`. */
export function peerVersion(): string {
  return /^\s*k8s\.io\/kubernetes v(\S+)/m.exec(readFileSync(join(SOURCES, 'go.mod'), 'utf8'))?.[1] ?? '';
}

export interface PeerOptions {
  readonly directory: string;
  readonly securePort: number;
  /** Its endpoint. */
  readonly etcd: string;
  readonly readyMs: number;
}

/** Plain HTTP on a free port, and TLS; it writes its certificate into `directory`. */
export async function startPeer(
  program: string,
  { directory, securePort, etcd, readyMs }: PeerOptions,
): Promise<RunningProcess & { readonly baseUrl: string }> {
  const [port = 0] = await freePorts(1);
  const api = createApi(`http://127.0.0.1:${port}`);
  const args = ['--etcd', etcd, '--listen', `127.0.0.1:${port}`, '--tls-listen', `127.0.0.1:${securePort}`];
  const running = await launch([...args, '--ca-file', join(directory, 'ca.crt')], {
    port,
    readyMs,
    launcher: program,
    isReady: async () => (await api.get('/readyz')).code === 200,
    release: api.close,
  });
  return { ...running, baseUrl: api.baseUrl };
}
