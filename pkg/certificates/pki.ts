/**
 * The server's own CA and what it signed, as files in one folder: `ca`, `server` and `admin`, each `.crt` and `.key`. Made on first start
 * and kept; the CA is never replaced, certificates are when they end or no longer fit. A key is written before its certificate, so
 * a certificate without a fitting key tells of nothing but tampering, and a key without a certificate of a crash. Whoever finds all in
 * order reads six files, takes no lock and loads no library.
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
import { makePrivate, makePrivateFolder, readOptional, removeUnfinished, writePrivateFile } from './private-files.ts';

export interface PkiOptions {
  readonly dir: string;
  /** Addresses and DNS names under which clients reach the server. Absent: no certificate of a server is wanted. */
  readonly serverNames?: readonly string[];
  /** Whether a client certificate of the admin is wanted. */
  readonly admin: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is wanted is there. */
export interface Pki {
  readonly ca: CertifiedKey;
  readonly server?: CertifiedKey;
  readonly admin?: CertifiedKey;
}

/** Where it lies in a data folder. */
export const PKI_FOLDER = 'pki';
/** Who the admin is, and the group that may do everything. */
export const ADMIN = { commonName: 'coxswain-admin', organizations: ['system:masters'] } as const;
const AUTHORITY_NAME = 'coxswain-ca';
const SERVER_NAME = 'coxswain';
/** A certificate that ends sooner is made anew. */
const RENEW_BEFORE_MS = 30 * DAY_MS;
const WARN_BEFORE_MS = 90 * DAY_MS;

type Name = keyof Pki;
const NAMES: readonly Name[] = ['ca', 'server', 'admin'];

/** Reads what is there and makes what is missing or does not do. Throws CertificateError when a person must decide. May be called again and again. */
export async function openPki(options: PkiOptions): Promise<Pki> {
  const { dir, clock, log } = options;
  await makePrivateFolder(dir);
  for (const path of [dir, ...NAMES.map((name) => join(dir, `${name}.key`))]) {
    if (await makePrivate(path)) log.warn('others could read it; now they cannot', { path });
  }
  const pki = (await findWhole(options)) ?? (await makeUnderLock(options));
  const end = new X509Certificate(pki.ca.cert).validToDate;
  if (end.getTime() - clock.now() < WARN_BEFORE_MS) {
    log.warn('the CA ends soon; so does every certificate of it', { path: join(dir, 'ca.crt'), validTo: end.toISOString() });
  }
  return pki;
}

/** Undefined: something that is wanted is missing or does not do. */
async function findWhole(options: PkiOptions): Promise<Pki | undefined> {
  const { ca, server, admin } = await readPki({ ...options, log: silentLog }); // what does not do is said when it is made anew
  const whole = (server !== undefined || options.serverNames === undefined) && (admin !== undefined || !options.admin);
  return ca === undefined || !whole ? undefined : { ca, ...(server && { server }), ...(admin && { admin }) };
}

async function makeUnderLock(options: PkiOptions): Promise<Pki> {
  const lock = await lockFolder(options.dir, options.clock);
  try {
    return await makeMissing(options);
  } finally {
    lock.release();
  }
}

/** The CA of a folder, to sign with. Throws CertificateError when it has none, or one that does not do. */
export async function readAuthority(dir: string, now: number): Promise<CertifiedKey> {
  const authority = await findAuthority(dir, now);
  if (authority === undefined) throw new CertificateError(`There is no CA in ${dir}. Start the server once: it makes one.`);
  return authority.pair;
}

type FoundPki = Partial<Pki>;

interface Authority {
  readonly pair: CertifiedKey;
  readonly certificate: X509Certificate;
}

/** What of it does. */
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
    log.info('a certificate is made anew', { path: join(dir, `${name}.crt`), reason });
    return undefined;
  };
  const server = serverNames === undefined ? undefined : await usable('server', serverNames);
  const admin = options.admin ? await usable('admin', []) : undefined;
  return { ca: authority.pair, ...(server && { server }), ...(admin && { admin }) };
}

/** Under the lock: another process may have made it all meanwhile. */
async function makeMissing(options: PkiOptions): Promise<Pki> {
  const { dir, serverNames, clock } = options;
  const now = clock.now();
  await removeUnfinished(
    dir,
    NAMES.flatMap((name) => [`${name}.key`, `${name}.crt`]),
  );
  const found = await readPki(options);
  const kept = async (name: Name, make: () => Promise<CertifiedKey>): Promise<CertifiedKey> => {
    const existing = found[name];
    if (existing !== undefined) return existing;
    const { cert, key } = await make();
    await writePrivateFile(join(dir, `${name}.key`), key);
    await writePrivateFile(join(dir, `${name}.crt`), cert);
    return { cert, key };
  };
  const ca = await kept('ca', () => createAuthority({ commonName: AUTHORITY_NAME, now }));
  const server =
    serverNames &&
    (await kept('server', () => issueCertificate(ca, { commonName: SERVER_NAME, usage: 'server', names: serverNames, now })));
  const admin = options.admin ? await kept('admin', () => issueCertificate(ca, { ...ADMIN, usage: 'client', now })) : undefined;
  return { ca, ...(server && { server }), ...(admin && { admin }) };
}

async function readPair(dir: string, name: Name) {
  const [cert, key] = await Promise.all([readOptional(join(dir, `${name}.crt`)), readOptional(join(dir, `${name}.key`))]);
  return { cert, key };
}

/** Undefined: there was never one, or its making was broken off before it signed anything. */
async function findAuthority(dir: string, now: number): Promise<Authority | undefined> {
  const { cert, key } = await readPair(dir, 'ca');
  const path = join(dir, 'ca.crt');
  const wayOut = `Put the right one there, or remove ${dir} to have a new CA made: every kubeconfig of the old one then stops working.`;
  if (cert === undefined) {
    const signed = await Promise.all((['server', 'admin'] as const).map((name) => readOptional(join(dir, `${name}.crt`))));
    if (signed.every((each) => each === undefined)) return undefined;
    throw new CertificateError(`The CA certificate ${path} is missing, but there are certificates that it signed. ${wayOut}`);
  }
  const certificate = readCertificates(cert)?.[0];
  if (certificate === undefined)
    throw new CertificateError(`The CA certificate ${path} cannot be read: it is no PEM certificate. ${wayOut}`);
  if (!certificate.ca) throw new CertificateError(`The certificate in ${path} is not one of a CA. ${wayOut}`);
  const problem = validityProblem(certificate, now);
  if (problem !== undefined) throw new CertificateError(`The CA certificate ${path} ${problem}. ${wayOut}`);
  const keyPath = join(dir, 'ca.key');
  if (key === undefined) throw new CertificateError(`The key of the CA, ${keyPath}, is missing. ${wayOut}`);
  const privateKey = readPrivateKey(key);
  if (privateKey === undefined)
    throw new CertificateError(`The key of the CA, ${keyPath}, cannot be read: it is no PEM key without a passphrase. ${wayOut}`);
  if (!certificate.checkPrivateKey(privateKey))
    throw new CertificateError(`The key ${keyPath} does not fit the CA certificate ${path}. ${wayOut}`);
  return { pair: { cert, key }, certificate };
}
