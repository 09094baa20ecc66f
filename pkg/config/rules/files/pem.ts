/** Checks certificates and private keys in PEM (RFC 7468). */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { fileWarning, fileError } from './file-problem.ts';
import type { FileCheck, FileProblem } from './file-problem.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const NUMBERED = (index: number, count: number): string => (count === 1 ? '' : `, number ${index + 1}`);

/** A signing certificate must be a CA and the only one in its file, since components accept no chain. */
export const signingCertificate: FileCheck = (pem, now) => {
  const { certificates, problems } = readCertificates(pem);
  if (problems.length > 0) return problems;
  if (certificates.length > 1)
    return [fileError(`contains ${certificates.length} certificates; a signing certificate must be the only one`)];
  return certificates.flatMap((certificate) => [
    ...(certificate.ca ? [] : [fileError('contains a certificate that is not a CA certificate')]),
    ...validity(certificate, now, ''),
  ]);
};

/** Any number of trusted certificates. */
export const certificateBundle: FileCheck = (pem, now) => {
  const { certificates, problems } = readCertificates(pem);
  return [
    ...problems,
    ...certificates.flatMap((certificate, index) => {
      const number = NUMBERED(index, certificates.length);
      return [
        ...(certificate.ca ? [] : [fileWarning(`contains a certificate that is not a CA certificate${number}`)]),
        ...validity(certificate, now, number),
      ];
    }),
  ];
};

export const privateKey: FileCheck = (pem) => {
  const type = readPrivateKey(pem)?.asymmetricKeyType;
  if (type === undefined) return [fileError('contains no PEM private key without a password')];
  return type === 'rsa' || type === 'ec' ? [] : [fileError(`contains a key of type ${type}, not RSA or ECDSA`)];
};

/** Undefined if either cannot be parsed. */
export function isKeyOf(key: string, certificate: string): boolean | undefined {
  const [first] = readCertificates(certificate).certificates;
  const read = readPrivateKey(key);
  return first === undefined || read === undefined ? undefined : first.checkPrivateKey(read);
}

function validity({ validFromDate, validToDate }: X509Certificate, now: Date, number: string): FileProblem[] {
  if (now > validToDate) return [fileWarning(`contains a certificate that expired on ${validToDate.toISOString()}${number}`)];
  if (now < validFromDate) return [fileWarning(`contains a certificate that is not valid before ${validFromDate.toISOString()}${number}`)];
  return [];
}

function readCertificates(pem: string): { readonly certificates: readonly X509Certificate[]; readonly problems: readonly FileProblem[] } {
  const blocks = pem.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) return { certificates: [], problems: [fileError('contains no PEM certificate')] };
  const certificates: X509Certificate[] = [];
  for (const [index, block] of blocks.entries()) {
    try {
      certificates.push(new X509Certificate(block));
    } catch {
      return { certificates: [], problems: [fileError(`contains a certificate that cannot be read, number ${index + 1}`)] };
    }
  }
  return { certificates, problems: [] };
}

function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined; // not PEM, broken, or locked with a password
  }
}
