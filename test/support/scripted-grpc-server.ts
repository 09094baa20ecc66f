/** A gRPC server on Node's own HTTP/2, which answers, or fails to, as a test tells it. */
import { createServer, type Http2Session, type IncomingHttpHeaders, type ServerHttp2Stream, type Settings } from 'node:http2';

export interface ScriptedCall {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  /** What was sent, without gRPC's prefix. */
  readonly message: Buffer;
}

export interface ScriptedGrpcServer {
  readonly url: string;
  readonly sessions: readonly Http2Session[];
  /** Every connection that was ever made. */
  readonly connections: number;
  /** Signs of life that were asked for. */
  readonly pings: number;
  close(): Promise<void>;
}

/** As gRPC sends it: with its prefix. */
export function toGrpcMessage(message: Uint8Array, compressed = 0): Buffer {
  const prefix = Buffer.alloc(5, compressed);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Answers in good order. */
export function answer(stream: ServerHttp2Stream, message: Uint8Array): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'grpc-message': '' }));
  stream.end(toGrpcMessage(message));
}

export interface ScriptedOptions {
  readonly settings?: Settings;
  /** What it takes of all calls of a connection together; default: 65,535. */
  readonly connectionWindowBytes?: number;
  readonly port?: number;
  /** Is told of each stream when it is opened, and does everything with it; no calls are told of then. */
  readonly onStream?: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
}

/** `onCall` is told of each call once it has come whole. */
export async function startScriptedGrpcServer(
  onCall: (call: ScriptedCall) => void,
  options: ScriptedOptions = {},
): Promise<ScriptedGrpcServer> {
  const sessions: Http2Session[] = [];
  let pings = 0;
  const server = createServer({ settings: options.settings ?? {}, maxSessionMemory: 1000 });
  server.on('session', (session) => {
    sessions.push(session);
    if (options.connectionWindowBytes !== undefined) session.setLocalWindowSize(options.connectionWindowBytes);
    session.on('ping', () => {
      pings++;
    });
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (options.onStream !== undefined) {
      options.onStream(stream, headers);
      return;
    }
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      if (!stream.aborted) onCall({ stream, headers, message: Buffer.concat(chunks).subarray(5) });
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    sessions,
    get connections() {
      return sessions.length;
    },
    get pings() {
      return pings;
    },
    close: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
