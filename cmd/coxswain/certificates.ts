/** Certificates of `serve` and the kubeconfig of the admin. */
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import { CertificateError } from '../../pkg/certificates/certificate-error.ts';
import { readCertificates } from '../../pkg/certificates/inspect.ts';
import { PKI_FOLDER } from '../../pkg/certificates/pki.ts';
import { makePrivate, readOptional, writePrivateFile } from '../../pkg/certificates/private-files.ts';
import { serverNames } from '../../pkg/certificates/server-names.ts';
import { openServingCertificates, type ServingCertificates } from '../../pkg/certificates/serving-certificates.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { SecureListener } from '../../pkg/server/lifecycle/listener.ts';
import { UsageError } from './flag.ts';
import type { ServeOptions } from './flags.ts';
import type { NamedCertKey } from './hardening-flags.ts';
import { requireBoth } from './require-both.ts';

/** In the data directory. */
export const ADMIN_KUBECONFIG = 'admin.kubeconfig';
const REFRESH_MS = 10_000;

/** Throws CertificateError or UsageError with one sentence. */
export async function openCertificates(options: ServeOptions, clock: Clock, log: Log): Promise<ServingCertificates> {
  const {
    dataDir,
    bindAddress,
    tlsCertFile,
    tlsPrivateKeyFile,
    tlsSniCertKey,
    clientCaFile,
    requestheaderClientCaFile: proxyCaFile,
    requestheaderAllowedNames,
  } = options;
  requireBoth('--tls-cert-file', tlsCertFile, '--tls-private-key-file', tlsPrivateKeyFile);
  const certificates = await openServingCertificates({
    pkiDir: join(dataDir, PKI_FOLDER),
    serverNames: serverNames({ hostName: hostname(), bindAddress }),
    files: {
      ...(tlsCertFile !== undefined &&
        tlsPrivateKeyFile !== undefined && {
          server: {
            cert: { flag: '--tls-cert-file', path: tlsCertFile },
            key: { flag: '--tls-private-key-file', path: tlsPrivateKeyFile },
          },
        }),
      ...(tlsSniCertKey !== undefined && { named: tlsSniCertKey.map(toNamedFiles) }),
      ...(clientCaFile !== undefined && { clientCa: { flag: '--client-ca-file', path: clientCaFile } }),
      ...(proxyCaFile !== undefined && { proxyCa: { flag: '--requestheader-client-ca-file', path: proxyCaFile } }),
    },
    clock,
    log,
  });
  const { clientCa, proxyCa = '' } = certificates.tls;
  const clientAuthorities = readCertificates(clientCa) ?? [];
  const overlap = readCertificates(proxyCa)?.some(({ fingerprint256 }) =>
    clientAuthorities.some((each) => each.fingerprint256 === fingerprint256),
  );
  if (overlap === true && requestheaderAllowedNames === undefined) {
    throw new UsageError(
      '--requestheader-client-ca-file contains a CA of clients: without --requestheader-allowed-names, every client could name any user',
    );
  }
  return certificates;
}

const toNamedFiles = ({ certFile, keyFile, names }: NamedCertKey) => ({
  names,
  cert: { flag: '--tls-sni-cert-key', path: certFile },
  key: { flag: '--tls-sni-cert-key', path: keyFile },
});

/** Writes a changed kubeconfig, readable only by its owner; returns its absolute path, or undefined for none. */
export async function writeAdminKubeconfig(certificates: ServingCertificates, url: string, dataDir: string): Promise<string | undefined> {
  const text = certificates.adminKubeconfig(url);
  if (text === undefined) return undefined;
  const path = resolve(dataDir, ADMIN_KUBECONFIG);
  if ((await readOptional(path)) === text) await makePrivate(path);
  else await writePrivateFile(path, text);
  return path;
}

export interface RefreshOptions {
  readonly certificates: ServingCertificates;
  readonly listener: SecureListener;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** After each reload, and each that failed. */
  readonly onReload: (isSuccess: boolean) => void;
  readonly signal: AbortSignal;
}

/** Applies changed certificates every ten seconds until `signal` aborts. A failure is logged and keeps the old ones. */
export async function refreshCertificates({
  certificates,
  listener,
  dataDir,
  clock,
  log,
  onReload,
  signal,
}: RefreshOptions): Promise<void> {
  for (;;) {
    await clock.sleep(REFRESH_MS, signal);
    if (signal.aborted) return;
    try {
      if (!(await certificates.refresh())) continue;
      listener.replaceTls(certificates.tls);
      await writeAdminKubeconfig(certificates, listener.url, dataDir);
      onReload(true);
      log.info('certificates reloaded');
    } catch (error) {
      onReload(false);
      log.error('certificate reload failed', error instanceof CertificateError ? { reason: error.message } : { error });
    }
  }
}
