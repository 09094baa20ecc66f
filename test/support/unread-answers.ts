/** Answers that are open and of which nothing is read until a test says so, on each transport of the secure port. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { request } from 'node:https';
import { WebSocket } from 'ws';
import type { SecureServer } from './server.ts';
import { deadline } from './wait.ts';

const WAIT_MS = 30_000;
const CONNECTION_WINDOW_BYTES = 1 << 24;
/** RFC 6455 section 7.4.1: what a client calls a connection that ended without a closing frame. */
const ABNORMAL_CLOSURE = 1006;

export type Headers = Readonly<Record<string, string>>;

export interface UnreadAnswer {
  /** Reads what there is, and on to the end. A piece is of any size, or one message of a WebSocket. */
  readonly read: (take: (piece: Buffer) => void) => void;
  /** How it ended; only one that is read comes to its end. */
  readonly ended: Promise<'in good order' | 'cut off'>;
}

export interface UnreadAnswers {
  readonly overHttp1: (path: string, headers?: Headers) => Promise<UnreadAnswer>;
  readonly openSession: () => Promise<ClientHttp2Session>;
  readonly overHttp2: (session: ClientHttp2Session, path: string, headers?: Headers) => Promise<UnreadAnswer>;
  readonly overWebSocket: (path: string) => Promise<UnreadAnswer>;
  /** Drops everything that is open. */
  readonly close: () => void;
}

/** `token`: of a user who may read. */
export function createUnreadAnswers({ url, ca }: Pick<SecureServer, 'url' | 'ca'>, token: string): UnreadAnswers {
  const authorization = `Bearer ${token}`;
  const protocols = [`base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`, 'watch'];
  const closers: (() => void)[] = [];
  return {
    overHttp1: async (path, headers = {}) => {
      const asked = request(url + path, { ca, headers: { authorization, ...headers }, agent: false });
      asked.end();
      const [message] = (await deadline(once(asked, 'response'), WAIT_MS, 'an answer')) as [IncomingMessage];
      closers.push(() => message.destroy());
      message.on('error', () => undefined); // told by 'close'
      return {
        read: (take) => message.on('data', take),
        ended: new Promise((resolve) => message.once('close', () => resolve(message.complete ? 'in good order' : 'cut off'))),
      };
    },
    openSession: async () => {
      const session = connect(url, { ca });
      closers.push(() => session.destroy());
      await deadline(once(session, 'connect'), WAIT_MS, 'a connection');
      // What one stream leaves unread must not fill the connection's window: that is the client's business.
      session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
      return session;
    },
    overHttp2: async (session, path, headers = {}) => {
      const stream: ClientHttp2Stream = session.request({ ':path': path, authorization, ...headers });
      stream.on('error', () => undefined); // told by 'close'
      await deadline(once(stream, 'response'), WAIT_MS, 'an answer');
      return {
        read: (take) => stream.on('data', take),
        ended: new Promise((resolve) =>
          stream.once('close', () => resolve(stream.rstCode === constants.NGHTTP2_NO_ERROR ? 'in good order' : 'cut off')),
        ),
      };
    },
    overWebSocket: async (path) => {
      const webSocket = new WebSocket(url.replace('https', 'wss') + path, protocols, { ca, origin: url });
      closers.push(() => webSocket.terminate());
      await deadline(once(webSocket, 'open'), WAIT_MS, 'a WebSocket');
      webSocket.pause();
      return {
        read: (take) => {
          webSocket.on('message', take);
          webSocket.resume();
        },
        ended: new Promise((resolve) =>
          webSocket.once('close', (code) => resolve(code === ABNORMAL_CLOSURE ? 'cut off' : 'in good order')),
        ),
      };
    },
    close: () => {
      for (const close of closers.splice(0)) close();
    },
  };
}
