/** What a client showed in the TLS handshake, as authentication reads it. */
import { type DetailedPeerCertificate, type PeerCertificate, TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { ClientCertificate } from '../../authentication/authenticator.ts';

interface Shown {
  readonly certificate: ClientCertificate;
  /** Milliseconds since the epoch. */
  readonly validUntil: number;
}

/** The certificates of one listener's connections, each read once, on first use. */
export class ClientCertificates {
  readonly #clock: Clock;
  readonly #shown = new WeakMap<Duplex, Shown | 'none'>();
  /** By how many changes of the CA the one came that the handshake of each connection was verified against. */
  readonly #verifiedAgainst = new WeakMap<Duplex, number>();
  #caChanges = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How often the CA has changed. A handshake is verified against the one of its beginning. */
  get caChanges(): number {
    return this.#caChanges;
  }

  /** To be told of every connection once its handshake is over. */
  accepted(socket: Duplex, caChangesAtBegin: number): void {
    this.#verifiedAgainst.set(socket, caChangesAtBegin);
  }

  /** Clients are verified against another CA from now on: what was verified before counts no more. */
  caChanged(): void {
    this.#caChanges += 1;
  }

  /** True: a client that shows its certificate again, on another connection, may get another answer. */
  isOutdated(socket: Duplex): boolean {
    return this.#verifiedAgainst.get(socket) !== this.#caChanges;
  }

  /**
   * Undefined: none was shown. One that expires, or whose CA changes, while its connection is open fails from then on.
   */
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

/** A connection without a certificate gives an empty object. */
const isShown = (certificate: PeerCertificate | DetailedPeerCertificate | object | null): certificate is PeerCertificate =>
  certificate !== null && 'fingerprint256' in certificate;

/**
 * An attribute that stands several times in a name comes as a list, one that is absent not at all, whatever the
 * declared type says.
 */
function valuesOf(subject: object | undefined, attribute: 'CN' | 'O'): readonly string[] {
  const value: unknown = subject === undefined ? undefined : Object.entries(subject).find(([name]) => name === attribute)?.[1];
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? [value] : [];
}
