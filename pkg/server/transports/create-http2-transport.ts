import { Http2Connections } from './http2-connections.ts';
import type { Http2Implementation, Http2Transport, Http2TransportOptions } from './http2-transport.ts';

/** Imports only the selected implementation, since `node:http2` is slow to load. */
export async function createHttp2Transport(implementation: Http2Implementation, options: Http2TransportOptions): Promise<Http2Transport> {
  const { createConnector } = implementation === 'node' ? await import('./node-http2.ts') : await import('./native-http2.ts');
  return new Http2Connections(createConnector(options));
}
