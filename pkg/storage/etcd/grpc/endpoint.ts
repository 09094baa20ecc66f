/** Where a member of etcd is, and how it is reached. */
import { isIP, connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const DEFAULT_PORT = 2379;

export interface Endpoint {
  /** As `net` takes it: an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  /** `host:port`, as in a URL. */
  readonly authority: string;
  readonly tls: TlsFiles | undefined;
}

/** PEM. */
export interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** TLS is spoken to `https:` and, when there are certificates for it, to everyone. Undefined: it is no http:// or https:// URL. */
export function parseEndpoint(server: string, tls: TlsFiles | undefined): Endpoint | undefined {
  const url = URL.parse(server);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    authority: `${url.hostname}:${port}`,
    tls: url.protocol === 'https:' ? (tls ?? {}) : tls,
  };
}

/** Not connected yet. Nothing is verified less than TLS does by itself. */
export function connectTo({ host, port, tls }: Endpoint): Socket {
  if (tls === undefined) return connectTcp({ host, port, noDelay: true });
  const socket = connectTls({ host, port, ...tls, ALPNProtocols: ['h2'], ...(isIP(host) === 0 ? { servername: host } : {}) });
  socket.setNoDelay(true);
  return socket;
}
