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
  readonly tls: EtcdTlsFiles | undefined;
}

/** PEM. */
export interface EtcdTlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * TLS is spoken to `https:` and, when there are certificates for it, to everyone. Undefined: it is no http:// or
 * https:// URL.
 */
export function parseEndpoint(server: string, tls: EtcdTlsFiles | undefined): Endpoint | undefined {
  const url = URL.parse(server);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const port = portOf(url, server);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    authority: `${url.hostname}:${port}`,
    tls: url.protocol === 'https:' ? (tls ?? {}) : tls,
  };
}

/** A URL keeps to itself whether the port of its scheme, behind which proxies listen, was given or left out. */
function portOf({ port, protocol }: URL, server: string): number {
  if (port !== '') return Number(port);
  if (!/^[^/?#]*\/\/[^/?#]*:\d+(?:[/?#]|$)/.test(server)) return DEFAULT_PORT;
  return protocol === 'https:' ? 443 : 80;
}

/**
 * Without TLS everything is read into one buffer, over and over: a tenth of what a call costs is allocating others and
 * making a stream of them.
 */
const READ_BYTES = 256 * 1024;

/**
 * After this much silence the kernel asks for a sign of life by itself: of a machine that is gone it learns so even
 * while no call waits.
 */
const KEEPALIVE_MS = 10_000;

/**
 * Not connected yet. `onChunk` is called with what comes, which is of use during the call only. Nothing is verified
 * less than TLS does by itself.
 */
export function connectTo({ host, port, tls }: Endpoint, onChunk: (chunk: Buffer) => void): Socket {
  if (tls !== undefined) {
    const socket = connectTls({ host, port, ...tls, ALPNProtocols: ['h2'], ...(isIP(host) === 0 ? { servername: host } : {}) });
    return socket.setNoDelay(true).setKeepAlive(true, KEEPALIVE_MS).on('data', onChunk);
  }
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const callback = (bytes: number): boolean => {
    onChunk(buffer.subarray(0, bytes));
    return true;
  };
  return connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEPALIVE_MS, onread: { buffer, callback } });
}
