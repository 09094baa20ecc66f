/** Certificate, key and CA files given by the operator, who may replace them while the server runs. */
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { errorMessage } from '../apimachinery/status/error-message.ts';
import { CertificateError } from './certificate-error.ts';
import { namesOf, readCertificates, readPrivateKey, validityProblem } from './inspect.ts';
import type { CertifiedKey } from './issue.ts';

/** A file and the flag that specifies it, for messages. */
export interface NamedFile {
  readonly flag: string;
  readonly path: string;
}

/** A certificate, followed by its intermediate certificates, and its key. */
export interface KeyPairFiles {
  readonly cert: NamedFile;
  readonly key: NamedFile;
}

/** One for clients that ask for a server name (SNI). */
export interface NamedKeyPairFiles extends KeyPairFiles {
  /** Empty: those in the certificate. */
  readonly names: readonly string[];
}

export interface TlsFilePaths {
  /** The server's certificate. */
  readonly server?: KeyPairFiles;
  /** Its certificates by name. The first of a name counts, and names that are given before those in certificates. */
  readonly named?: readonly NamedKeyPairFiles[];
  /** The CAs of client certificates. */
  readonly clientCa?: NamedFile;
  /** The CAs of proxies that name the user in headers. */
  readonly proxyCa?: NamedFile;
}

export interface TlsFileContents {
  readonly server?: CertifiedKey;
  /** Names are in lower case. */
  readonly byName?: ReadonlyMap<string, CertifiedKey>;
  readonly clientCa?: string;
  readonly proxyCa?: string;
}

/** Throws CertificateError with one sentence that contains the flag, the file and the problem. */
export async function readTlsFiles({ server, named, clientCa, proxyCa }: TlsFilePaths, now: number): Promise<TlsFileContents> {
  return {
    ...(server && { server: await readCertifiedKey(server.cert, server.key, now) }),
    ...(named && { byName: await readByName(named, now) }),
    ...(clientCa && { clientCa: await readAuthorities(clientCa, now) }),
    ...(proxyCa && { proxyCa: await readAuthorities(proxyCa, now) }),
  };
}

/** Changes whenever a file is written or replaced. */
export async function fileStamp({ server, named = [], clientCa, proxyCa }: TlsFilePaths): Promise<string> {
  const pairs = [...(server === undefined ? [] : [server]), ...named];
  const files = [...pairs.flatMap(({ cert, key }) => [cert, key]), clientCa, proxyCa].filter((file) => file !== undefined);
  const stamps = files.map(({ path }) =>
    stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs}/${size}/${ino}`,
      () => 'missing',
    ),
  );
  return (await Promise.all(stamps)).join(' ');
}

async function readByName(named: readonly NamedKeyPairFiles[], now: number): Promise<ReadonlyMap<string, CertifiedKey>> {
  const given = new Map<string, CertifiedKey>();
  const contained = new Map<string, CertifiedKey>();
  for (const { cert, key, names } of named) {
    const pair = await readCertifiedKey(cert, key, now);
    const [target, targets] = names.length > 0 ? [given, names] : [contained, namesOf(pair.cert)];
    for (const name of targets.map((each) => each.toLowerCase())) if (!target.has(name)) target.set(name, pair);
  }
  return new Map([...contained, ...given]);
}

/** A valid certificate and its key. Throws CertificateError with one sentence: the flag, the file and the problem. */
export async function readCertifiedKey(certFile: NamedFile, keyFile: NamedFile, now: number): Promise<CertifiedKey> {
  const [cert, key] = [await read(certFile), await read(keyFile)];
  const certificate = readCertificates(cert)?.[0];
  if (certificate === undefined) throw fileError(certFile, 'has no certificate in PEM that can be read');
  const privateKey = readPrivateKey(key);
  if (privateKey === undefined) throw fileError(keyFile, 'contains no valid PEM key without passphrase');
  if (!certificate.checkPrivateKey(privateKey)) throw fileError(keyFile, `does not match the certificate in ${certFile.path}`);
  const problem = validityProblem(certificate, now);
  if (problem !== undefined) throw fileError(certFile, problem);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw fileError(certFile, `cannot be used: ${errorMessage(error)}`, error); // a key that is too short, a broken chain
  }
  return { cert, key };
}

/** CA certificates, at least one of which is valid now. Throws like `readCertifiedKey`. */
export async function readAuthorities(file: NamedFile, now: number): Promise<string> {
  const bundle = await read(file);
  const certificates = readCertificates(bundle);
  if (certificates === undefined) throw fileError(file, 'has no certificate in PEM that can be read');
  if (certificates.every((certificate) => validityProblem(certificate, now) !== undefined)) {
    throw fileError(file, 'contains no certificate that is currently valid');
  }
  return bundle;
}

async function read(file: NamedFile): Promise<string> {
  try {
    return await readFile(file.path, 'utf8');
  } catch (error) {
    throw fileError(file, `cannot be read: ${errorMessage(error)}`, error);
  }
}

const fileError = ({ flag, path }: NamedFile, problem: string, cause?: unknown) =>
  new CertificateError(`${flag}: ${path} ${problem}`, { cause });
