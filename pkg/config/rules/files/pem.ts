/** Certificates and private keys in PEM (RFC 7468). */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { doubt, fault } from './file-fault.ts';
import type { FileCheck, FileFault } from './file-fault.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const NUMBERED = (index: number, count: number): string => (count === 1 ? '' : `, number ${index + 1}`);

/** The one certificate that signs: of a CA, and alone in its file, since the components take no chain there. */
export const signingCertificate: FileCheck = (pem, now) => {
  const { certificates, faults } = readCertificates(pem);
  if (faults.length > 0) return faults;
  if (certificates.length > 1) return [fault(`holds ${certificates.length} certificates; the one that signs must be alone`)];
  return certificates.flatMap((certificate) => [
    ...(certificate.ca ? [] : [fault('holds a certificate that may sign no others: it is not one of a CA')]),
    ...validity(certificate, now, ''),
  ]);
};

/** Any number of certificates that are trusted. */
export const certificateBundle: FileCheck = (pem, now) => {
  const { certificates, faults } = readCertificates(pem);
  return [
    ...faults,
    ...certificates.flatMap((certificate, index) => {
      const number = NUMBERED(index, certificates.length);
      return [
        ...(certificate.ca ? [] : [doubt(`holds a certificate that is not one of a CA${number}`)]),
        ...validity(certificate, now, number),
      ];
    }),
  ];
};

export const privateKey: FileCheck = (pem) => {
  const type = readPrivateKey(pem)?.asymmetricKeyType;
  if (type === undefined) return [fault('holds no PEM private key without a password')];
  return type === 'rsa' || type === 'ec' ? [] : [fault(`holds a key of type ${type}, not RSA or ECDSA`)];
};

/** Undefined where one of them cannot be read. */
export function isKeyOf(key: string, certificate: string): boolean | undefined {
  const [first] = readCertificates(certificate).certificates;
  const read = readPrivateKey(key);
  return first === undefined || read === undefined ? undefined : first.checkPrivateKey(read);
}

function validity({ validFromDate, validToDate }: X509Certificate, now: Date, number: string): FileFault[] {
  if (now > validToDate) return [doubt(`holds a certificate that expired on ${validToDate.toISOString()}${number}`)];
  if (now < validFromDate) return [doubt(`holds a certificate that is not valid before ${validFromDate.toISOString()}${number}`)];
  return [];
}

function readCertificates(pem: string): { readonly certificates: readonly X509Certificate[]; readonly faults: readonly FileFault[] } {
  const blocks = pem.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) return { certificates: [], faults: [fault('holds no PEM certificate')] };
  const certificates: X509Certificate[] = [];
  for (const [index, block] of blocks.entries()) {
    try {
      certificates.push(new X509Certificate(block));
    } catch {
      return { certificates: [], faults: [fault(`holds a certificate that cannot be read, number ${index + 1}`)] };
    }
  }
  return { certificates, faults: [] };
}

function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined; // not PEM, broken, or locked with a password
  }
}
