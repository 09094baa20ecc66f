/** Reads PEM and says what is wrong with it. Nothing of the library that makes certificates is loaded for this. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertifiedKey } from './issue.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Every certificate of a PEM text, in order. `undefined` when there is none or one cannot be read. */
export function readCertificates(pem: string): readonly [X509Certificate, ...X509Certificate[]] | undefined {
  try {
    const [first, ...others] = [...pem.matchAll(CERTIFICATE)].map(([block]) => new X509Certificate(block));
    return first === undefined ? undefined : [first, ...others];
  } catch {
    return undefined; // base64 or DER that is broken
  }
}

export function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined; // not PEM, broken, or locked with a passphrase
  }
}

/** `is expired since …`, `is not valid before …`: the clause that follows the certificate's file name; undefined: valid now. */
export function validityProblem(certificate: X509Certificate, now: number): string | undefined {
  const { validFromDate, validToDate } = certificate;
  if (now > validToDate.getTime()) return `expired on ${validToDate.toISOString()}`;
  if (now < validFromDate.getTime()) return `is not valid before ${validFromDate.toISOString()}; is the clock right?`;
  return undefined;
}

/** Address or DNS name, as a client would check it. The subject's CN does not count (RFC 6125 §6.4.4). */
export const isNamed = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) === 0 ? certificate.checkHost(name, { subject: 'never' }) : certificate.checkIP(name)) !== undefined;

const EXTENDED_USAGE = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };

/** `extended`: what Node calls the key usage of a certificate is the extended one; undefined where there is none. */
const isFor = (usage: 'server' | 'client', extended: readonly string[] | undefined): boolean =>
  extended?.includes(EXTENDED_USAGE[usage]) === true;

export interface Requirements {
  readonly authority: X509Certificate;
  readonly usage: 'server' | 'client';
  readonly names: readonly string[];
  readonly now: number;
  /** It must last that much longer, or as long as the CA. */
  readonly remainingMs: number;
}

/** Why a pair has to be made anew; undefined: it does for now. */
export function reasonToReplace({ cert, key }: CertifiedKey, required: Requirements): string | undefined {
  const { authority, usage, names, now, remainingMs } = required;
  const certificate = readCertificates(cert)?.[0];
  if (certificate === undefined) return 'it cannot be read';
  const privateKey = readPrivateKey(key);
  if (privateKey === undefined) return 'its key cannot be read';
  if (!certificate.checkPrivateKey(privateKey)) return 'its key is another one';
  if (!certificate.checkIssued(authority) || !certificate.verify(authority.publicKey)) return 'it is of another CA';
  if (!isFor(usage, certificate.keyUsage)) return `it is not for a ${usage}`;
  if (now < certificate.validFromDate.getTime()) return 'it is not valid yet';
  const end = certificate.validToDate.getTime();
  if (end - now < remainingMs && end < authority.validToDate.getTime())
    return `it is valid until ${certificate.validToDate.toISOString()} only`;
  const missing = names.filter((name) => !isNamed(certificate, name));
  return missing.length === 0 ? undefined : `it does not name ${missing.join(', ')}`;
}
