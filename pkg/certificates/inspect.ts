/** Parses and checks PEM files. Does not load the library that creates certificates. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertifiedKey } from './issue.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** All certificates of a PEM text, in order. `undefined` if there are none or one is invalid. */
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

/** A clause that follows the name of the file, such as `expired on …`; undefined if the certificate is valid now. */
export function validityProblem(certificate: X509Certificate, now: number): string | undefined {
  const { validFromDate, validToDate } = certificate;
  if (now > validToDate.getTime()) return `expired on ${validToDate.toISOString()}`;
  if (now < validFromDate.getTime()) return `is not valid before ${validFromDate.toISOString()}; is the clock right?`;
  return undefined;
}

/** Matches an address or DNS name like a client would. Ignores the subject's CN (RFC 6125 §6.4.4). */
export const matchesName = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) === 0 ? certificate.checkHost(name, { subject: 'never' }) : certificate.checkIP(name)) !== undefined;

const HOST_NAME = /^(?:\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/i;
const ALTERNATIVE = /(?:^|, )DNS:([^,"]+)/g;

/** The DNS names of a certificate for which a server shows it, its subject's CN among them, as in kube-apiserver. */
export function namesOf(pem: string): readonly string[] {
  const certificate = readCertificates(pem)?.[0];
  if (certificate === undefined) return [];
  const commonName = /(?:^|\n)CN=([^\n]+)/.exec(certificate.subject)?.[1] ?? '';
  const alternatives = [...(certificate.subjectAltName ?? '').matchAll(ALTERNATIVE)].map(([, name = '']) => name);
  return [commonName, ...alternatives].filter((name) => isIP(name) === 0 && HOST_NAME.test(name));
}

const EXTENDED_USAGE = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };

/** `extended`: what Node calls the key usage of a certificate is the extended one; undefined if there is none. */
const hasExtendedUsage = (usage: 'server' | 'client', extended: readonly string[] | undefined): boolean =>
  extended?.includes(EXTENDED_USAGE[usage]) === true;

export interface CertificateRequirements {
  readonly authority: X509Certificate;
  readonly usage: 'server' | 'client';
  readonly names: readonly string[];
  readonly now: number;
  /** Minimum remaining validity, unless the CA ends earlier. */
  readonly remainingMs: number;
}

/** Why the certificate must be replaced; undefined if it is still usable. */
export function reasonToReplace({ cert, key }: CertifiedKey, required: CertificateRequirements): string | undefined {
  const { authority, usage, names, now, remainingMs } = required;
  const certificate = readCertificates(cert)?.[0];
  if (certificate === undefined) return 'it cannot be read';
  const privateKey = readPrivateKey(key);
  if (privateKey === undefined) return 'its key cannot be read';
  if (!certificate.checkPrivateKey(privateKey)) return 'its key does not match';
  if (!certificate.checkIssued(authority) || !certificate.verify(authority.publicKey)) return 'it was signed by another CA';
  if (!hasExtendedUsage(usage, certificate.keyUsage)) return `it is not a ${usage} certificate`;
  if (now < certificate.validFromDate.getTime()) return 'it is not valid yet';
  const end = certificate.validToDate.getTime();
  if (end - now < remainingMs && end < authority.validToDate.getTime())
    return `it is valid until ${certificate.validToDate.toISOString()} only`;
  const missing = names.filter((name) => !matchesName(certificate, name));
  return missing.length === 0 ? undefined : `it does not contain ${missing.join(', ')}`;
}
