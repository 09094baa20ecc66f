/** A kubeconfig (v1 Config) with one cluster, one user and one context, all embedded, so that it may be carried elsewhere. */
import { readPrivateKey } from './inspect.ts';
import type { CertifiedKey } from './issue.ts';

export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string;
  /** PEM. Absent: the client's own trust decides. */
  readonly certificateAuthority?: string | undefined;
  /** The name that the server's certificate has, where the address is another one. */
  readonly tlsServerName?: string | undefined;
  readonly user: CertifiedKey;
  /** Default of the context; absent: `default`. */
  readonly namespace?: string | undefined;
}

const NAME = 'coxswain';

/** YAML. Values are written as JSON strings, which YAML reads as they are. */
export function toKubeconfig({ server, certificateAuthority, tlsServerName, user, namespace }: KubeconfigOptions): string {
  const line = (name: string, value: string | undefined) => (value === undefined ? [] : [`    ${name}: ${JSON.stringify(value)}`]);
  const base64 = (pem: string | undefined) => (pem === undefined ? undefined : Buffer.from(pem).toString('base64'));
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${NAME}`,
    '  cluster:',
    ...line('server', server),
    ...line('certificate-authority-data', base64(certificateAuthority)),
    ...line('tls-server-name', tlsServerName),
    'users:',
    `- name: ${NAME}`,
    '  user:',
    ...line('client-certificate-data', base64(user.cert)),
    ...line('client-key-data', base64(readByAll(user.key))),
    'contexts:',
    `- name: ${NAME}`,
    '  context:',
    ...line('cluster', NAME),
    ...line('user', NAME),
    ...line('namespace', namespace),
    `current-context: ${NAME}`,
    '',
  ].join('\n');
}

/** A key on a curve as SEC 1, whichever form its file has: older servers wrote PKCS #8, and `CertifiedKey` says who cannot read that. */
function readByAll(pem: string): string {
  const key = readPrivateKey(pem);
  return key?.asymmetricKeyType === 'ec' ? key.export({ type: 'sec1', format: 'pem' }).toString() : pem;
}
