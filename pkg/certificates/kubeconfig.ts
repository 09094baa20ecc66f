/** A kubeconfig (v1 Config) with one cluster, user and context. All data is embedded, so the file can be moved. */
import { readPrivateKey } from './inspect.ts';
import type { CertifiedKey } from './issue.ts';

export interface KubeconfigContents {
  /** `https://127.0.0.1:6443` */
  readonly server: string;
  /** PEM. Absent: the client uses its own trust store. */
  readonly certificateAuthority?: string | undefined;
  /** A name in the server's certificate, if it does not contain the address. */
  readonly tlsServerName?: string | undefined;
  readonly user: CertifiedKey;
  /** Default namespace of the context. Default: `default`. */
  readonly namespace?: string | undefined;
}

const NAME = 'coxswain';

/** Returns YAML. Values are JSON strings, which are valid YAML. */
export function toKubeconfig({ server, certificateAuthority, tlsServerName, user, namespace }: KubeconfigContents): string {
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
    ...line('client-key-data', base64(toCompatibleKey(user.key))),
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

/** Converts EC keys to SEC 1, because older servers wrote PKCS #8; see `CertifiedKey`. */
function toCompatibleKey(pem: string): string {
  const key = readPrivateKey(pem);
  return key?.asymmetricKeyType === 'ec' ? key.export({ type: 'sec1', format: 'pem' }).toString() : pem;
}
