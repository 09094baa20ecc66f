/** The address of an etcd member. */
import { isIP, connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const DEFAULT_PORT = 2379;

export interface Endpoint {
  /** An IPv6 address has no brackets here. */
  readonly host: string;
  readonly port: number;
  /** `host:port`, with brackets around an IPv6 address. */
  readonly authority: string;
  readonly tls: EtcdTlsFiles | undefined;
}

/** PEM. */
interface EtcdTlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Uses TLS for `https:`, and for `http:` too when `tls` is given. Undefined when it is not such a URL. */
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

/** `URL` drops the default port of the scheme, so whether the user wrote it is read from the text. */
function portOf({ port, protocol }: URL, server: string): number {
  if (port !== '') return Number(port);
  if (!/^[^/?#]*\/\/[^/?#]*:\d+(?:[/?#]|$)/.test(server)) return DEFAULT_PORT;
  return protocol === 'https:' ? 443 : 80;
}

/** Without TLS all reads share one buffer: allocating one for each read would add a tenth to the cost of a call. */
const READ_BYTES = 256 * 1024;

/** TCP keepalive, which detects a lost machine even while no call waits. */
const KEEPALIVE_MS = 10_000;

/** Starts to connect. `onChunk` must not keep the chunk, whose memory is reused. Certificates are always verified. */
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
