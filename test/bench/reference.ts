/**
 * The kube-apiserver of Kubernetes itself, as a cluster runs it: RBAC, its default admission plugins, TLS, a bearer
 * token. `reference/` builds it from its public module, which takes ten minutes the first time and wants Go 1.26.
 */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { launch, type RunningProcess } from '../support/server.ts';
import { TOKEN, TOKEN_FILE_LINE } from './bearer-token.ts';
import { buildGoProgram, kubernetesVersionOf } from './go-program.ts';
import { NAMESPACES, namespaceOf } from './sample-object.ts';

const FOLDER = 'reference';
const SERVICE_ACCOUNT_KEY_BITS = 2048;

export const referenceVersion = (): string => kubernetesVersionOf(FOLDER);

/** Resolves with the program's path. */
export function buildReference(): Promise<string> {
  const version = referenceVersion();
  const [major = '', minor = ''] = version.split('.');
  const setting = (name: string, value: string) => `-X k8s.io/component-base/version.${name}=${value}`;
  const settings = [setting('gitVersion', `v${version}`), setting('gitMajor', major), setting('gitMinor', minor)];
  return buildGoProgram(FOLDER, ['-ldflags', ['-s', '-w', ...settings].join(' ')]);
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
