import type { Http2Implementation, Http2Transport, Http2TransportOptions } from './http2-transport.ts';

/** Imports only the selected implementation, since `node:http2` is slow to load. */
export async function createHttp2Transport(implementation: Http2Implementation, options: Http2TransportOptions): Promise<Http2Transport> {
  if (implementation === 'node') return new (await import('./node-http2.ts')).NodeHttp2Transport(options);
  return new (await import('./native-http2.ts')).NativeHttp2Transport(options);
}
