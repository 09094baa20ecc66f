/** The certificates of a TLS listener, from given files or the server's own CA, updated while the server runs. */
import type { X509Certificate } from 'node:crypto';
import type { Clock } from '../apimachinery/time/clock.ts';
import type { Log } from '../observability/logging.ts';
import { matchesName, readCertificates } from './inspect.ts';
import { DAY_MS, type CertifiedKey } from './issue.ts';
import { toKubeconfig } from './kubeconfig.ts';
import { openPki } from './pki.ts';
import type { Pki } from './pki.ts';
import { readTlsFiles, fileStamp } from './tls-files.ts';
import type { TlsFilePaths, TlsFileContents } from './tls-files.ts';

export interface ServingOptions {
  /** Folder of the server's own CA. Not used if files are given for everything. */
  readonly pkiDir: string;
  readonly serverNames: readonly string[];
  readonly files: TlsFilePaths;
  readonly clock: Clock;
  readonly log: Log;
}

/** PEM texts. */
export interface ServingTls {
  readonly cert: string;
  readonly key: string;
  /** For clients that ask for a server name. */
  readonly byName?: ReadonlyMap<string, CertifiedKey>;
  readonly clientCa: string;
  readonly proxyCa?: string | undefined;
}

export interface ServingCertificates {
  readonly tls: ServingTls;
  /** The admin's kubeconfig for that address. Undefined if another CA verifies clients. */
  adminKubeconfig(server: string): string | undefined;
  /**
   * Checks the files, and its own certificates once a day. Returns whether `tls` changed. Throws CertificateError once
   * per broken file; `tls` is unchanged then.
   */
  refresh(): Promise<boolean>;
}

/** Throws CertificateError. */
export async function openServingCertificates(options: ServingOptions): Promise<ServingCertificates> {
  const { pkiDir, serverNames, files: paths, clock, log } = options;
  const needsPki = paths.server === undefined || paths.clientCa === undefined;
  const readPki = async (): Promise<Pki | undefined> =>
    needsPki
      ? openPki({
          dir: pkiDir,
          ...(paths.server === undefined ? { serverNames } : {}),
          admin: paths.clientCa === undefined,
          clock,
          log,
        })
      : undefined;
  let stamp = await fileStamp(paths);
  let files = await readTlsFiles(paths, clock.now());
  let pki = await readPki(); // after the files, so that a wrong flag creates nothing
  let pkiReadAt = clock.now();
  let tls = combine(files, pki);
  return {
    get tls() {
      return tls;
    },
    adminKubeconfig: (server) => {
      if (pki?.admin === undefined) return undefined;
      const trust = files.server === undefined ? ownCaTrust(pki.ca.cert, pki.server?.cert, server) : chainTrust(files.server.cert, server);
      return toKubeconfig({ server, ...trust, user: pki.admin });
    },
    refresh: async () => {
      const before = tls;
      const stampNow = await fileStamp(paths);
      if (stampNow !== stamp) {
        stamp = stampNow; // also for broken files, so that they are reported once
        files = await readTlsFiles(paths, clock.now());
      }
      if (clock.now() - pkiReadAt >= DAY_MS) {
        pkiReadAt = clock.now();
        pki = await readPki();
      }
      tls = combine(files, pki);
      return COMPARED.some((member) => tls[member] !== before[member]);
    },
  };
}

const COMPARED = ['cert', 'key', 'byName', 'clientCa', 'proxyCa'] as const;

function combine(files: TlsFileContents, pki: Pki | undefined): ServingTls {
  const server = files.server ?? pki?.server;
  const clientCa = files.clientCa ?? pki?.ca.cert;
  if (server === undefined || clientCa === undefined) throw new Error('there are neither files nor a CA');
  return { ...server, ...(files.byName && { byName: files.byName }), clientCa, proxyCa: files.proxyCa };
}

export interface ServerTrust {
  /** PEM. */
  readonly certificateAuthority?: string | undefined;
  readonly tlsServerName?: string | undefined;
}

/**
 * Trust settings for a server certificate of our CA. If it does not contain the address, clients verify `localhost`
 * instead, since only this server has a server certificate of this CA.
 */
export function ownCaTrust(ca: string, serverCertificate: string | undefined, server: string): ServerTrust {
  const certificate = serverCertificate === undefined ? undefined : readCertificates(serverCertificate)?.[0];
  const named = certificate !== undefined && matchesName(certificate, hostOf(server));
  return { certificateAuthority: ca, ...(named ? {} : { tlsServerName: 'localhost' }) };
}

/** Embeds the root if the chain contains it; otherwise the client uses its own trust store. */
function chainTrust(chain: string, server: string): ServerTrust {
  const certificates = readCertificates(chain);
  if (certificates === undefined) return {};
  const root = certificates.find((certificate) => certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey));
  return { ...(root && { certificateAuthority: root.toString() }), ...serverNameFor(certificates[0], hostOf(server)) };
}

function serverNameFor(certificate: X509Certificate, host: string): ServerTrust {
  if (matchesName(certificate, host)) return {};
  const name = /DNS:([^,*\s]+)/.exec(certificate.subjectAltName ?? '')?.[1];
  return name === undefined ? {} : { tlsServerName: name };
}

/** Without the brackets of an IPv6 address. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');
