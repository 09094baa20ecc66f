/**
 * The baseline of the budget, measured in the same run: `peer/` is a small program in Go on Kubernetes' own server
 * library, with its registries, watch cache and storage in protobuf. It is built from public modules when it is wanted,
 * which takes minutes the first time and wants Go 1.26 or newer.
 */
import { join } from 'node:path';
import { createApi } from '../support/api.ts';
import { freePorts } from '../support/free-port.ts';
import { buildGoProgram, kubernetesVersionOf } from '../support/go-program.ts';
import { launch, type RunningProcess } from '../support/server.ts';

const MODULE = join(import.meta.dirname, 'peer');

/** Resolves with the program's path. */
export const buildPeer = (): Promise<string> => buildGoProgram({ module: MODULE, name: 'peer' });
export const peerVersion = (): string => kubernetesVersionOf(MODULE);

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
