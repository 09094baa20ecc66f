/**
 * What a connection to a server fails of, in the words of the operating system or of TLS. gRPC keeps that to itself, and at the start an operator
 * needs it: a wrong port, a name that is not known, a certificate that is not trusted.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { EtcdBackendOptions } from './options.ts';

const PATIENCE_MS = 1000;

/** Never rejects, and leaves no socket behind. */
export async function whyUnreachable(server: string, tls: EtcdBackendOptions['tls']): Promise<string> {
  const url = URL.parse(server);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'it is no http:// or https:// URL';
  const target = { host: url.hostname, port: Number(url.port === '' ? 2379 : url.port) };
  const secure = url.protocol === 'https:' || tls !== undefined;
  return new Promise((resolve) => {
    const socket: Socket = secure ? connectTls({ ...target, ...tls, ALPNProtocols: ['h2'] }) : connectTcp(target);
    const tell = (why: string): void => {
      socket.destroy();
      resolve(why);
    };
    socket.setTimeout(PATIENCE_MS, () => tell(socket.connecting ? 'no answer' : 'it takes connections, but does not answer as an etcd'));
    // With TLS 1.3 a client learns only afterwards that its certificate was missing.
    socket.on('error', (error) => tell(error.message));
    socket.on('close', () => tell('it ends connections at once'));
    socket.resume();
  });
}
