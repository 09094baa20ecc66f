/**
 * The HTTPS port: one TLS server with HTTP/1.1 and HTTP/2 by ALPN. Client certificates are optional; one that fails
 * verification is passed on with the reason, since the request may carry a token.
 */
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TlsOptions, TLSSocket } from 'node:tls';
import { linger } from '../transports/http1-client-error.ts';
import type { ClientCertificates } from '../transports/client-certificate.ts';
import type { ExpressTransport } from '../transports/express.ts';
import type { Http2Transport } from '../transports/http2-transport.ts';
import type { TransportLimits } from '../transports/transport-limits.ts';
import type { WebSocketTransport } from '../transports/websocket.ts';
import { serveHttp1, toHttp1Options } from './http1-server.ts';
import { createNamedContexts, findContext, type TlsMaterial, type TlsSettings, toContextOptions } from './tls-contexts.ts';

export interface SecurePortOptions {
  readonly tls: TlsMaterial;
  readonly settings: TlsSettings;
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
  /** For new connections. Throws, without effect, when a certificate and its key do not match. */
  readonly replaceTls: (tls: TlsMaterial) => void;
}

export function createSecurePort({ tls, settings, http1, http2, webSockets, certificates, limits }: SecurePortOptions): SecurePort {
  let named = createNamedContexts(tls, settings);
  const selectByName: TlsOptions['SNICallback'] = (name, select) => select(null, findContext(named, name));
  const server = createServer({
    ...toHttp1Options(limits, http1),
    ...toContextOptions(tls, settings),
    // Without names, handshakes are spared the detour.
    ...(tls.byName === undefined ? {} : { SNICallback: selectByName }),
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
  return {
    server,
    abortHandshakes: () => handshakes.abort(),
    replaceTls: (next) => {
      const nextNamed = createNamedContexts(next, settings);
      server.setSecureContext(toContextOptions(next, settings));
      named = nextNamed;
    },
  };
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
