/** Client certificates of TLS connections, for authentication. */
import { X509Certificate } from 'node:crypto';
import { type DetailedPeerCertificate, type PeerCertificate, TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { ClientCertificate } from '../../authentication/authenticator.ts';

/** PEM texts. */
export interface ClientAuthorities {
  readonly clientCa: string;
  /** Absent: there are no proxies, and every verified certificate is that of a client. */
  readonly proxyCa?: string | undefined;
}

/** Certificates of a listener's connections, each read on first use. */
export class ClientCertificates {
  readonly #clock: Clock;
  #authorities: ClientAuthorities;
  readonly #shown = new WeakMap<Duplex, ClientCertificate | 'none'>();
  /** Per connection, the number of CA changes before its handshake. */
  readonly #verifiedAgainst = new WeakMap<Duplex, number>();
  #caChanges = 0;

  constructor(clock: Clock, authorities: ClientAuthorities) {
    this.#clock = clock;
    this.#authorities = authorities;
  }

  /** Number of CA changes. A handshake uses the CA at its beginning. */
  get caChanges(): number {
    return this.#caChanges;
  }

  /** Must be called after each handshake. */
  accepted(socket: Duplex, caChangesAtBegin: number): void {
    this.#verifiedAgainst.set(socket, caChangesAtBegin);
  }

  /** The client CA has changed: earlier verifications are no longer valid. */
  caChanged(authorities: ClientAuthorities): void {
    this.#authorities = authorities;
    this.#caChanges += 1;
  }

  /** True when verification on a new connection may have another result. */
  isOutdated(socket: Duplex): boolean {
    return this.#verifiedAgainst.get(socket) !== this.#caChanges;
  }

  /** Undefined when the client sent none. Fails once the certificate expires or its CA changes. */
  of(socket: Duplex): ClientCertificate | undefined {
    let certificate = this.#shown.get(socket);
    if (certificate === undefined) {
      certificate = read(socket, this.#authorities) ?? 'none';
      this.#shown.set(socket, certificate);
    }
    if (certificate === 'none') return undefined;
    if (certificate.failure !== undefined) return certificate;
    if (this.isOutdated(socket)) return { ...certificate, failure: 'the CA of clients has changed since the connection was made' };
    return this.#clock.now() <= certificate.validUntil ? certificate : { ...certificate, failure: 'CERT_HAS_EXPIRED' };
  }
}

function read(socket: Duplex, authorities: ClientAuthorities): ClientCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const certificate = socket.getPeerCertificate();
  if (!isShown(certificate)) return undefined;
  const { subject, fingerprint256, valid_to: validTo } = certificate;
  return {
    ...(socket.authorized ? issuedBy(socket, authorities) : { failure: String(socket.authorizationError) }),
    commonName: valuesOf(subject, 'CN').at(-1) ?? '',
    organizations: valuesOf(subject, 'O'),
    fingerprint256: fingerprint256.replaceAll(':', '').toLowerCase(),
    validUntil: Date.parse(validTo),
  };
}

/** Whose certificate it is. Which of the two bundles verified it, Node does not tell. */
function issuedBy(socket: TLSSocket, { clientCa, proxyCa }: ClientAuthorities): Pick<ClientCertificate, 'failure' | 'isProxy'> {
  if (proxyCa === undefined) return {};
  const chain = authoritiesOf(socket.getPeerCertificate(true));
  const isIn = (pem: string) => fingerprintsOf(pem).some((fingerprint) => chain.includes(fingerprint));
  return {
    ...(isIn(clientCa) ? {} : { failure: 'it was not issued by a CA of clients' }),
    ...(isIn(proxyCa) ? { isProxy: true } : {}),
  };
}

/**
 * Fingerprints of the certificates that issued this one, directly or not; of itself, if it is self-signed. Node finds
 * them by their names, also among those that the client sent, so that each signature is verified here.
 */
function authoritiesOf(certificate: DetailedPeerCertificate): readonly string[] {
  const chain: string[] = [];
  for (let at = certificate; ; at = at.issuerCertificate) {
    const issuer = at.issuerCertificate as DetailedPeerCertificate | undefined;
    if (issuer === undefined || chain.includes(issuer.fingerprint256) || !isSignedBy(at, issuer)) return chain;
    chain.push(issuer.fingerprint256);
  }
}

const isSignedBy = ({ raw }: PeerCertificate, issuer: PeerCertificate): boolean =>
  new X509Certificate(raw).verify(new X509Certificate(issuer.raw).publicKey);

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const fingerprintsOf = (pem: string): readonly string[] =>
  [...pem.matchAll(PEM_CERTIFICATE)].map(([block]) => new X509Certificate(block).fingerprint256);

/** Without a certificate Node returns an empty object. */
const isShown = (certificate: PeerCertificate | DetailedPeerCertificate | object | null): certificate is PeerCertificate =>
  certificate !== null && 'fingerprint256' in certificate;

/** Repeated attributes are a list, and missing ones are absent, contrary to the declared type. */
function valuesOf(subject: object | undefined, attribute: 'CN' | 'O'): readonly string[] {
  const value: unknown = subject === undefined ? undefined : Object.entries(subject).find(([name]) => name === attribute)?.[1];
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? [value] : [];
}
