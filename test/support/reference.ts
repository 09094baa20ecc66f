/**
 * The kube-apiserver of Kubernetes itself, as a cluster runs it: RBAC, its default admission plugins, TLS, a bearer
 * token; and kube-controller-manager. `reference/` builds them from their public module, which takes ten minutes the
 * first time and wants Go 1.26.
 */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { freePorts } from './free-port.ts';
import { buildGoProgram, kubernetesVersionOf } from './go-program.ts';
import { launch, type RunningProcess } from './server.ts';

const MODULE = join(import.meta.dirname, 'reference');
const SERVICE_ACCOUNT_KEY_BITS = 2048;

export const referenceVersion = (): string => kubernetesVersionOf(MODULE);

/** `name`: a folder of the module. Resolves with the program's path. */
export function buildReference(name: 'kube-apiserver' | 'kube-controller-manager' = 'kube-apiserver'): Promise<string> {
  const version = referenceVersion();
  const [major = '', minor = ''] = version.split('.');
  const setting = (variable: string, value: string) => `-X k8s.io/component-base/version.${variable}=${value}`;
  const settings = [setting('gitVersion', `v${version}`), setting('gitMajor', major), setting('gitMinor', minor)];
  return buildGoProgram({ module: MODULE, folder: name, name, flags: ['-ldflags', ['-s', '-w', ...settings].join(' ')] });
}

export interface ReferenceOptions {
  readonly directory: string;
  readonly securePort: number;
  /** Its endpoint. */
  readonly etcd: string;
  /** Of an administrator. */
  readonly token: string;
  /** Beside those of a cluster, or instead of them. */
  readonly flags?: Readonly<Record<string, string>>;
  /** They exist when it has started. */
  readonly namespaces?: readonly string[];
  readonly readyMs: number;
}

export type RunningReference = RunningProcess & { readonly baseUrl: string };

/** Its certificate is `certs/apiserver.crt` below `directory`. */
export async function startReference(program: string, options: ReferenceOptions): Promise<RunningReference> {
  const { directory, securePort, etcd, token, flags: more = {}, namespaces = [], readyMs } = options;
  const baseUrl = `https://127.0.0.1:${securePort}`;
  const key = join(directory, 'service-accounts.key');
  const tokens = join(directory, 'reference-tokens.csv');
  if (!existsSync(key)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: SERVICE_ACCOUNT_KEY_BITS });
    await writeFile(key, privateKey.export({ type: 'pkcs1', format: 'pem' }));
    await writeFile(tokens, `${token},admin,admin-uid,"system:masters"\n`);
  }
  const flags = {
    'etcd-servers': etcd,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': String(securePort),
    'cert-dir': join(directory, 'certs'),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
    'service-cluster-ip-range': '10.0.0.0/24',
    'authorization-mode': 'RBAC',
    'token-auth-file': tokens,
    'endpoint-reconciler-type': 'none',
    ...more,
  };
  const ask = createAsker(baseUrl, token);
  const running = await launch(
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { port: securePort, readyMs, launcher: program, isReady: async () => (await ask('/readyz')) === 200 },
  );
  for (const name of namespaces) {
    const code = await ask('/api/v1/namespaces', { metadata: { name } });
    if (code !== 201 && code !== 409) throw new Error(`the namespace ${name}: ${code}`);
  }
  return { ...running, baseUrl };
}

/** Resolves with the code of the answer. */
function createAsker(baseUrl: string, token: string): (path: string, body?: unknown) => Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (path, body) =>
    new Promise((done, fail) => {
      const method = body === undefined ? 'GET' : 'POST';
      const options = { method, headers, rejectUnauthorized: false, agent: false, timeout: 5000 } as const;
      const sent = request(baseUrl + path, options, (response) => {
        response.resume();
        done(response.statusCode ?? 0);
      });
      sent.once('timeout', () => sent.destroy(new Error('no answer')));
      sent.once('error', fail);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

export const referenceCertificate = (directory: string): string => readFileSync(join(directory, 'certs/apiserver.crt'), 'utf8');

export interface ControllersOptions {
  /** That of the reference. */
  readonly directory: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly controllers: readonly string[];
  readonly readyMs: number;
}

/** The controllers of Kubernetes, with a client that does not slow them down. */
export async function startControllers(program: string, options: ControllersOptions): Promise<RunningProcess> {
  const { directory, baseUrl, token, controllers, readyMs } = options;
  const kubeconfig = join(directory, 'controllers.kubeconfig');
  const cluster = { server: baseUrl, 'certificate-authority': join(directory, 'certs/apiserver.crt') };
  await writeFile(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'reference', cluster }],
      users: [{ name: 'reference', user: { token } }],
      contexts: [{ name: 'reference', context: { cluster: 'reference', user: 'reference' } }],
      'current-context': 'reference',
    }),
  );
  const [port = 0] = await freePorts(1);
  const flags = {
    kubeconfig,
    controllers: controllers.join(','),
    'leader-elect': 'false',
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
    'kube-api-qps': '2000',
    'kube-api-burst': '4000',
  };
  const ask = createAsker(`https://127.0.0.1:${port}`, token);
  return launch(
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { port, readyMs, launcher: program, isReady: async () => (await ask('/healthz')) === 200 },
  );
}
