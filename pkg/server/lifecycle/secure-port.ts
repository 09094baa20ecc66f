/**
 * The HTTPS port: one TLS server with HTTP/1.1 and HTTP/2 by ALPN. Client certificates are optional; one that fails
 * verification is passed on with the reason, since the request may carry a token.
 */
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { linger } from '../transports/http1-client-error.ts';
import type { ClientCertificates } from '../transports/client-certificate.ts';
import type { ExpressTransport } from '../transports/express.ts';
import type { Http2Transport } from '../transports/http2-transport.ts';
import type { TransportLimits } from '../transports/transport-limits.ts';
import type { WebSocketTransport } from '../transports/websocket.ts';
import { serveHttp1, toHttp1Options } from './http1-server.ts';

/** PEM texts. */
export interface TlsMaterial {
  /** The server's certificate, followed by intermediate ones. */
  readonly cert: string;
  readonly key: string;
  /** CA bundle for client certificates. */
  readonly clientCa: string;
  /** CA bundle for certificates of proxies that name the user in headers. */
  readonly proxyCa?: string | undefined;
}

export interface SecurePortOptions {
  readonly tls: TlsMaterial;
  readonly http1: ExpressTransport;
  /** Absent: only HTTP/1.1 is offered. */
  readonly http2: Http2Transport | undefined;
  readonly webSockets: WebSocketTransport;
  readonly certificates: ClientCertificates;
  readonly limits: TransportLimits;
}

export interface SecurePort {
  readonly server: Server;
  /** Closes connections in the TLS handshake, which the server does not track. */
  readonly abortHandshakes: () => void;
}

export function toContextOptions({ cert, key, clientCa, proxyCa }: TlsMaterial) {
  // Without a CA Node would accept clients of any public CA.
  if (!clientCa.includes('-----BEGIN CERTIFICATE-----')) throw new Error('the bundle of client CAs has no certificate');
  return { cert, key, ca: proxyCa === undefined ? clientCa : [clientCa, proxyCa], minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' } as const;
}

export function createSecurePort({ tls, http1, http2, webSockets, certificates, limits }: SecurePortOptions): SecurePort {
  const server = createServer({
    ...toHttp1Options(limits, http1),
    ...toContextOptions(tls),
    ALPNProtocols: [...(http2 === undefined ? [] : ['h2']), 'http/1.1'],
    handshakeTimeout: limits.handshakeMs,
    requestCert: true,
    rejectUnauthorized: false,
  });
  const handshakes = new Handshakes(certificates);
  server.on('connection', handshakes.begin);
  server.prependListener('tlsClientError', handshakes.fail);
  const toHttp1 = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    handshakes.end(socket);
    if (http2 !== undefined && socket.alpnProtocol === 'h2') http2.accept(socket);
    else for (const listener of toHttp1) Reflect.apply(listener, server, [socket]);
  });
  serveHttp1(server, http1, webSockets);
  return { server, abortHandshakes: () => handshakes.abort() };
}

const PLAIN_ANSWER =
  'HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

interface Handshake {
  readonly socket: Socket;
  /** Number of CA changes before the handshake began. */
  readonly caChanges: number;
}

/** Connections in the TLS handshake. Node's error event has only the TLS socket; the address finds the TCP socket. */
class Handshakes {
  readonly #certificates: ClientCertificates;
  readonly #begun = new Map<string, Handshake>();

  constructor(certificates: ClientCertificates) {
    this.#certificates = certificates;
  }

  readonly begin = (socket: Socket): void => {
    const peer = peerOf(socket);
    const handshake = { socket, caChanges: this.#certificates.caChanges };
    this.#begun.set(peer, handshake);
    socket.once('close', () => {
      if (this.#begun.get(peer) === handshake) this.#begun.delete(peer);
    });
  };

  end(socket: TLSSocket): void {
    const peer = peerOf(socket);
    const handshake = this.#begun.get(peer);
    if (handshake === undefined) return;
    this.#begun.delete(peer);
    this.#certificates.accepted(socket, handshake.caChanges);
  }

  /** Plain HTTP gets a plain-text response, as from Go's server. */
  readonly fail = (error: Error, socket: TLSSocket): void => {
    const plain = this.#begun.get(peerOf(socket))?.socket;
    if (plain === undefined || !('code' in error) || error.code !== 'ERR_SSL_HTTP_REQUEST') return;
    plain.end(PLAIN_ANSWER);
    linger(plain);
  };

  abort(): void {
    for (const { socket } of this.#begun.values()) socket.destroy();
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress ?? ''} ${remotePort ?? ''}`;
