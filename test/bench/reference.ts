/**
 * The kube-apiserver of Kubernetes itself, as a cluster runs it: RBAC, its default admission plugins, TLS, a bearer
 * token. `reference/` builds it from its public module, which takes ten minutes the first time and wants Go 1.26.
 */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { launch, type RunningProcess } from '../support/server.ts';
import { TOKEN, TOKEN_FILE_LINE } from './bearer-token.ts';
import { NAMESPACES, namespaceOf } from './sample-object.ts';

const SOURCES = join(import.meta.dirname, 'reference');
const PROGRAM = resolve(import.meta.dirname, '../../node_modules/.cache/bench-reference/kube-apiserver');
const BUILD_MS = 3_600_000;
const SERVICE_ACCOUNT_KEY_BITS = 2048;

/** Resolves with the program's path. */
export async function buildReference(): Promise<string> {
  const [major = '', minor = ''] = referenceVersion().split('.');
  const setting = (name: string, value: string) => `-X k8s.io/component-base/version.${name}=${value}`;
  const flags = `-s -w ${setting('gitVersion', `v${referenceVersion()}`)} ${setting('gitMajor', major)} ${setting('gitMinor', minor)}`;
  const env = { ...process.env, CGO_ENABLED: '0' };
  await promisify(execFile)('go', ['build', '-ldflags', flags, '-o', PROGRAM, '.'], { cwd: SOURCES, env, timeout: BUILD_MS }).catch(
    (error: unknown) => {
      throw new Error(`the reference needs Go and its modules to be built: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    },
  );
  return PROGRAM;
}

/** The version of Kubernetes that it is built from: `1.36.4`. */
export function referenceVersion(): string {
  return /^\s*k8s\.io\/kubernetes v(\S+)/m.exec(readFileSync(join(SOURCES, 'go.mod'), 'utf8'))?.[1] ?? '';
}

export interface ReferenceOptions {
  readonly directory: string;
  readonly securePort: number;
  /** Its endpoint. */
  readonly etcd: string;
  readonly readyMs: number;
}

/** Its namespaces exist when this resolves; its certificate is `certs/apiserver.crt` below `directory`. */
export async function startReference(
  program: string,
  { directory, securePort, etcd, readyMs }: ReferenceOptions,
): Promise<RunningProcess & { readonly baseUrl: string }> {
  const baseUrl = `https://127.0.0.1:${securePort}`;
  const key = join(directory, 'service-accounts.key');
  const tokens = join(directory, 'tokens.csv');
  if (!existsSync(key)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: SERVICE_ACCOUNT_KEY_BITS });
    await writeFile(key, privateKey.export({ type: 'pkcs1', format: 'pem' }));
    await writeFile(tokens, TOKEN_FILE_LINE);
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
  };
  const running = await launch(
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { port: securePort, readyMs, launcher: program, isReady: async () => (await codeOf(`${baseUrl}/readyz`)) === 200 },
  );
  for (let index = 0; index < NAMESPACES; index++) await createNamespace(baseUrl, namespaceOf(index));
  return { ...running, baseUrl };
}

async function createNamespace(baseUrl: string, name: string): Promise<void> {
  const code = await codeOf(`${baseUrl}/api/v1/namespaces`, { metadata: { name } });
  if (code !== 201 && code !== 409) throw new Error(`the namespace ${name}: ${code}`);
}

function codeOf(url: string, body?: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return new Promise((done, fail) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(url, { method, headers, rejectUnauthorized: false, agent: false, timeout: 5000 }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.once('error', fail);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export const referenceCertificate = (directory: string): string => readFileSync(join(directory, 'certs/apiserver.crt'), 'utf8');
