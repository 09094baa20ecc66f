/** Certificates, keys and bundles that an operator gives as files and replaces while the server runs. */
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { CertificateError } from './certificate-error.ts';
import { errorText } from './error-text.ts';
import { readCertificates, readPrivateKey, validityProblem } from './inspect.ts';
import type { CertifiedKey } from './issue.ts';

/** A file and the flag that names it, for messages. */
export interface NamedFile {
  readonly flag: string;
  readonly path: string;
}

export interface TlsFilePaths {
  /** The server's certificate, with those between it and its CA behind it, and its key. */
  readonly server?: { readonly cert: NamedFile; readonly key: NamedFile };
  /** Whose certificates clients may show. */
  readonly clientCa?: NamedFile;
}

export interface TlsFiles {
  readonly server?: CertifiedKey;
  readonly clientCa?: string;
}

/** Throws CertificateError with one sentence that names flag, file and problem. */
export async function readTlsFiles({ server, clientCa }: TlsFilePaths, now: number): Promise<TlsFiles> {
  return {
    ...(server && { server: await readCertifiedKey(server.cert, server.key, now) }),
    ...(clientCa && { clientCa: await readAuthorities(clientCa, now) }),
  };
}

/** Differs from an earlier one when a file was written or replaced since. */
export async function stampOf({ server, clientCa }: TlsFilePaths): Promise<string> {
  const files = [server?.cert, server?.key, clientCa].filter((file) => file !== undefined);
  const stamps = files.map(({ path }) =>
    stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs}/${size}/${ino}`,
      () => 'missing',
    ),
  );
  return (await Promise.all(stamps)).join(' ');
}

/** A certificate and its key, that fit each other and are valid now. Throws CertificateError with one sentence that names flag, file and problem. */
export async function readCertifiedKey(certFile: NamedFile, keyFile: NamedFile, now: number): Promise<CertifiedKey> {
  const [cert, key] = [await read(certFile), await read(keyFile)];
  const certificate = readCertificates(cert)?.[0];
  if (certificate === undefined) throw refusal(certFile, 'has no certificate in PEM that can be read');
  const privateKey = readPrivateKey(key);
  if (privateKey === undefined) throw refusal(keyFile, 'has no key in PEM that can be read (one with a passphrase cannot)');
  if (!certificate.checkPrivateKey(privateKey)) throw refusal(keyFile, `does not fit the certificate in ${certFile.path}`);
  const problem = validityProblem(certificate, now);
  if (problem !== undefined) throw refusal(certFile, problem);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw refusal(certFile, `cannot be used: ${errorText(error)}`, error); // a key that is too short, a broken chain
  }
  return { cert, key };
}

/** Certificates of which one at least is valid now. Throws as `readCertifiedKey` does. */
export async function readAuthorities(file: NamedFile, now: number): Promise<string> {
  const bundle = await read(file);
  const certificates = readCertificates(bundle);
  if (certificates === undefined) throw refusal(file, 'has no certificate in PEM that can be read');
  if (certificates.every((certificate) => validityProblem(certificate, now) !== undefined)) {
    throw refusal(file, 'has no certificate that is valid now');
  }
  return bundle;
}

async function read(file: NamedFile): Promise<string> {
  try {
    return await readFile(file.path, 'utf8');
  } catch (error) {
    throw refusal(file, `cannot be read: ${errorText(error)}`, error);
  }
}

const refusal = ({ flag, path }: NamedFile, problem: string, cause?: unknown) =>
  new CertificateError(`${flag}: ${path} ${problem}`, { cause });
