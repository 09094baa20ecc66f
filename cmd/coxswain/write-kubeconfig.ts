/** `coxswain kubeconfig`: issues a client certificate of the server's CA in a kubeconfig. */
import { join } from 'node:path';
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import { CertificateError } from '../../pkg/certificates/certificate-error.ts';
import { issueCertificate } from '../../pkg/certificates/issue.ts';
import { toKubeconfig } from '../../pkg/certificates/kubeconfig.ts';
import { ADMIN, PKI_FOLDER, readAuthority } from '../../pkg/certificates/pki.ts';
import { readOptional, writePrivateFile } from '../../pkg/certificates/private-files.ts';
import { ownCaTrust } from '../../pkg/certificates/serving-certificates.ts';
import { ADMIN_KUBECONFIG } from './certificates.ts';
import { UsageError } from './flag.ts';
import { SERVE_FLAGS } from './flags.ts';
import { parseKubeconfigFlags } from './parse-flags.ts';

const STANDARD_OUTPUT = '-';

/** Resolves with the output. Throws with one sentence. */
export async function writeKubeconfig(args: readonly string[], environment: NodeJS.ProcessEnv, now: number): Promise<string> {
  const { dataDir, server, user, group, namespace, output } = parseKubeconfigFlags(args, environment);
  const dir = join(dataDir, PKI_FOLDER);
  const authority = await readAuthority(dir, now);
  const cluster = await clusterOf(dataDir, authority.cert, server);
  const name = user ?? ADMIN.commonName;
  const organizations = group ?? (user === undefined ? ADMIN.organizations : []);
  const certified = await issueCertificate(authority, { commonName: name, organizations, usage: 'client', now }).catch((error: unknown) => {
    if (error instanceof CertificateError) throw error;
    throw new UsageError(`no certificate can be made for ${JSON.stringify(name)}: ${errorMessage(error)}`);
  });
  const text = toKubeconfig({ ...cluster, user: certified, namespace });
  if (output === STANDARD_OUTPUT) return text;
  await writePrivateFile(output, text);
  return `${output} is for ${name} at ${cluster.server}\n`;
}

/** The cluster of the admin's kubeconfig unless another address is given. */
async function clusterOf(dataDir: string, ca: string, requested: string | undefined) {
  const found = await clusterOfAdmin(join(dataDir, ADMIN_KUBECONFIG));
  const server = requested ?? found?.server ?? `https://${SERVE_FLAGS.bindAddress.default}:${SERVE_FLAGS.securePort.default}`;
  // With --tls-cert-file the server's certificate has another CA, for any address.
  if (found !== undefined && (found.server === server || found.certificateAuthority !== ca)) return { ...found, server };
  return { server, ...ownCaTrust(ca, await readOptional(join(dataDir, PKI_FOLDER, 'server.crt')), server) };
}

async function clusterOfAdmin(path: string) {
  const text = await readOptional(path);
  if (text === undefined) return undefined;
  const { parse } = await import('./yaml.ts');
  const field = (name: string): string | undefined => {
    const document: unknown = parse(text);
    const value = ['clusters', 0, 'cluster', name].reduce<unknown>(
      (within, key) => (typeof within === 'object' && within !== null ? Reflect.get(within, key) : undefined),
      document,
    );
    return typeof value === 'string' ? value : undefined;
  };
  const server = field('server');
  const ca = field('certificate-authority-data');
  if (server === undefined) return undefined;
  return {
    server,
    certificateAuthority: ca === undefined ? undefined : Buffer.from(ca, 'base64').toString('utf8'),
    tlsServerName: field('tls-server-name'),
  };
}
