/** Client certificates of TLS connections, for authentication. */
import { type DetailedPeerCertificate, type PeerCertificate, TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { ClientCertificate } from '../../authentication/authenticator.ts';

interface Shown {
  readonly certificate: ClientCertificate;
  /** Milliseconds since the epoch. */
  readonly validUntil: number;
}

/** Certificates of a listener's connections, each read on first use. */
export class ClientCertificates {
  readonly #clock: Clock;
  readonly #shown = new WeakMap<Duplex, Shown | 'none'>();
  /** Per connection, the number of CA changes before its handshake. */
  readonly #verifiedAgainst = new WeakMap<Duplex, number>();
  #caChanges = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
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
  caChanged(): void {
    this.#caChanges += 1;
  }

  /** True when verification on a new connection may have another result. */
  isOutdated(socket: Duplex): boolean {
    return this.#verifiedAgainst.get(socket) !== this.#caChanges;
  }

  /** Undefined when the client sent none. Fails once the certificate expires or its CA changes. */
  of(socket: Duplex): ClientCertificate | undefined {
    let shown = this.#shown.get(socket);
    if (shown === undefined) {
      shown = read(socket) ?? 'none';
      this.#shown.set(socket, shown);
    }
    if (shown === 'none') return undefined;
    const { certificate, validUntil } = shown;
    if (certificate.failure !== undefined) return certificate;
    if (this.isOutdated(socket)) return { ...certificate, failure: 'the CA of clients has changed since the connection was made' };
    return this.#clock.now() <= validUntil ? certificate : { ...certificate, failure: 'CERT_HAS_EXPIRED' };
  }
}

function read(socket: Duplex): Shown | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const certificate = socket.getPeerCertificate();
  if (!isShown(certificate)) return undefined;
  const { subject, fingerprint256, valid_to: validTo } = certificate;
  return {
    certificate: {
      ...(socket.authorized ? {} : { failure: String(socket.authorizationError) }),
      commonName: valuesOf(subject, 'CN').at(-1) ?? '',
      organizations: valuesOf(subject, 'O'),
      fingerprint256: fingerprint256.replaceAll(':', '').toLowerCase(),
    },
    validUntil: Date.parse(validTo),
  };
}

/** Without a certificate Node returns an empty object. */
const isShown = (certificate: PeerCertificate | DetailedPeerCertificate | object | null): certificate is PeerCertificate =>
  certificate !== null && 'fingerprint256' in certificate;

/** Repeated attributes are a list, and missing ones are absent, contrary to the declared type. */
function valuesOf(subject: object | undefined, attribute: 'CN' | 'O'): readonly string[] {
  const value: unknown = subject === undefined ? undefined : Object.entries(subject).find(([name]) => name === attribute)?.[1];
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? [value] : [];
}
