/**
 * The server's own CA and its certificates, as files in one folder: `ca`, `server` and `admin`, each `.crt` and `.key`.
 * Created on first start. The CA is never replaced; certificates are when they expire or no longer match.
 *
 * A key is written before its certificate. So a key without certificate indicates a crash, and a certificate without
 * matching key indicates tampering. If everything is valid, opening reads six files, without a lock or a library.
 */
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../apimachinery/time/clock.ts';
import { silentLog } from '../observability/logging.ts';
import type { Log } from '../observability/logging.ts';
import { CertificateError } from './certificate-error.ts';
import { lockFolder } from './folder-lock.ts';
import { readCertificates, readPrivateKey, reasonToReplace, validityProblem } from './inspect.ts';
import { createAuthority, DAY_MS, issueCertificate } from './issue.ts';
import type { CertifiedKey } from './issue.ts';
import { makePrivate, makePrivateFolder, readOptional, removeTemporaryFiles, writePrivateFile } from './private-files.ts';

export interface PkiOptions {
  readonly dir: string;
  /** Addresses and DNS names under which clients reach the server. Absent: no server certificate is needed. */
  readonly serverNames?: readonly string[];
  /** Whether a client certificate for the admin is needed. */
  readonly admin: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Contains everything that was requested. */
export interface Pki {
  readonly ca: CertifiedKey;
  readonly server?: CertifiedKey;
  readonly admin?: CertifiedKey;
}

/** Name of the folder in the data folder. */
export const PKI_FOLDER = 'pki';
/** The admin user and its group, which may do everything. */
export const ADMIN = { commonName: 'coxswain-admin', organizations: ['system:masters'] } as const;
const AUTHORITY_NAME = 'coxswain-ca';
const SERVER_NAME = 'coxswain';
/** Certificates are renewed this long before they expire. */
const RENEW_BEFORE_MS = 30 * DAY_MS;
const WARN_BEFORE_MS = 90 * DAY_MS;

type Name = keyof Pki;
const NAMES: readonly Name[] = ['ca', 'server', 'admin'];

/** Reads the certificates and creates missing or unusable ones. Throws CertificateError if the operator must decide. */
export async function openPki(options: PkiOptions): Promise<Pki> {
  const { dir, clock, log } = options;
  await makePrivateFolder(dir);
  for (const path of [dir, ...NAMES.map((name) => join(dir, `${name}.key`))]) {
    if (await makePrivate(path)) log.warn('removed the permissions of group and others', { path });
  }
  const pki = (await readComplete(options)) ?? (await createUnderLock(options));
  const end = new X509Certificate(pki.ca.cert).validToDate;
  if (end.getTime() - clock.now() < WARN_BEFORE_MS) {
    log.warn('CA and certificates expire soon', { path: join(dir, 'ca.crt'), validTo: end.toISOString() });
  }
  return pki;
}

/** Undefined if something is missing or unusable. */
async function readComplete(options: PkiOptions): Promise<Pki | undefined> {
  const { ca, server, admin } = await readPki({ ...options, log: silentLog });
  const isComplete = (server !== undefined || options.serverNames === undefined) && (admin !== undefined || !options.admin);
  return ca === undefined || !isComplete ? undefined : { ca, ...(server && { server }), ...(admin && { admin }) };
}

async function createUnderLock(options: PkiOptions): Promise<Pki> {
  const lock = await lockFolder(options.dir, options.clock);
  try {
    return await createMissing(options);
  } finally {
    lock.release();
  }
}

/** The CA of a folder, for signing. Throws CertificateError if it is missing or unusable. */
export async function readAuthority(dir: string, now: number): Promise<CertifiedKey> {
  const authority = await findAuthority(dir, now);
  if (authority === undefined) throw new CertificateError(`There is no CA in ${dir}. Start the server once to create it.`);
  return authority.pair;
}

type FoundPki = Partial<Pki>;

interface Authority {
  readonly pair: CertifiedKey;
  readonly certificate: X509Certificate;
}

/** The usable part of the PKI. */
async function readPki(options: PkiOptions): Promise<FoundPki> {
  const { dir, serverNames, clock, log } = options;
  const now = clock.now();
  const authority = await findAuthority(dir, now);
  if (authority === undefined) return {};
  const usable = async (name: 'server' | 'admin', names: readonly string[]): Promise<CertifiedKey | undefined> => {
    const { cert, key } = await readPair(dir, name);
    if (cert === undefined || key === undefined) return undefined;
    const usage = name === 'server' ? 'server' : 'client';
    const reason = reasonToReplace({ cert, key }, { authority: authority.certificate, usage, names, now, remainingMs: RENEW_BEFORE_MS });
    if (reason === undefined) return { cert, key };
    log.info('replacing a certificate', { path: join(dir, `${name}.crt`), reason });
    return undefined;
  };
  const server = serverNames === undefined ? undefined : await usable('server', serverNames);
  const admin = options.admin ? await usable('admin', []) : undefined;
  return { ca: authority.pair, ...(server && { server }), ...(admin && { admin }) };
}

/** Requires the lock. Reads again first, since another process may have created everything meanwhile. */
async function createMissing(options: PkiOptions): Promise<Pki> {
  const { dir, serverNames, clock } = options;
  const now = clock.now();
  await removeTemporaryFiles(
    dir,
    NAMES.flatMap((name) => [`${name}.key`, `${name}.crt`]),
  );
  const found = await readPki(options);
  const existingOrNew = async (name: Name, create: () => Promise<CertifiedKey>): Promise<CertifiedKey> => {
    const existing = found[name];
    if (existing !== undefined) return existing;
    const { cert, key } = await create();
    await writePrivateFile(join(dir, `${name}.key`), key);
    await writePrivateFile(join(dir, `${name}.crt`), cert);
    return { cert, key };
  };
  const ca = await existingOrNew('ca', () => createAuthority({ commonName: AUTHORITY_NAME, now }));
  const server =
    serverNames &&
    (await existingOrNew('server', () => issueCertificate(ca, { commonName: SERVER_NAME, usage: 'server', names: serverNames, now })));
  const admin = options.admin ? await existingOrNew('admin', () => issueCertificate(ca, { ...ADMIN, usage: 'client', now })) : undefined;
  return { ca, ...(server && { server }), ...(admin && { admin }) };
}

async function readPair(dir: string, name: Name) {
  const [cert, key] = await Promise.all([readOptional(join(dir, `${name}.crt`)), readOptional(join(dir, `${name}.key`))]);
  return { cert, key };
}

/** Undefined if there was never a CA, or its creation was interrupted before it signed anything. */
async function findAuthority(dir: string, now: number): Promise<Authority | undefined> {
  const { cert, key } = await readPair(dir, 'ca');
  const path = join(dir, 'ca.crt');
  const remedy = `Put a valid one there, or remove ${dir} to create a new CA; existing kubeconfigs then stop working.`;
  if (cert === undefined) {
    const signed = await Promise.all((['server', 'admin'] as const).map((name) => readOptional(join(dir, `${name}.crt`))));
    if (signed.every((each) => each === undefined)) return undefined;
    throw new CertificateError(`The CA certificate ${path} is missing, but there are certificates that it signed. ${remedy}`);
  }
  const certificate = readCertificates(cert)?.[0];
  if (certificate === undefined) throw new CertificateError(`The CA certificate ${path} is not a PEM certificate. ${remedy}`);
  if (!certificate.ca) throw new CertificateError(`The certificate in ${path} is not a CA certificate. ${remedy}`);
  const problem = validityProblem(certificate, now);
  if (problem !== undefined) throw new CertificateError(`The CA certificate ${path} ${problem}. ${remedy}`);
  const keyPath = join(dir, 'ca.key');
  if (key === undefined) throw new CertificateError(`The key of the CA, ${keyPath}, is missing. ${remedy}`);
  const privateKey = readPrivateKey(key);
  if (privateKey === undefined) throw new CertificateError(`The key of the CA, ${keyPath}, is not a PEM key without passphrase. ${remedy}`);
  if (!certificate.checkPrivateKey(privateKey))
    throw new CertificateError(`The key ${keyPath} does not match the CA certificate ${path}. ${remedy}`);
  return { pair: { cert, key }, certificate };
}
