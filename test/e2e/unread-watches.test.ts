/** Watches whose clients do not read, on every transport: they are cut off, and nobody else notices. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { request } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { collectionPath, CONTROLLER_REVISION } from '../support/kinds.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { deadline, waitFor } from '../support/wait.ts';

const WAIT_MS = 30_000;
const TOKEN = 'good-token';
const HEADERS = { authorization: `Bearer ${TOKEN}` };
const PROTOCOLS = [`base64url.bearer.authorization.k8s.io.${Buffer.from(TOKEN).toString('base64url')}`, 'watch'];
const LARGE = collectionPath(CONTROLLER_REVISION, 'large');
const SMALL = collectionPath(CONTROLLER_REVISION, 'small');
/** Each fills what the two ends of a connection take on their own sooner than a thousand small ones. */
const LARGE_BYTES = 1_000_000;
const MOST_WRITES = 100;
const CONNECTION_WINDOW_BYTES = 1 << 24;

let server: SecureServer;
const closers: (() => void)[] = [];

beforeAll(async () => {
  server = await startSecureServer(['--watch-buffer-bytes', '4Mi', '--watch-cache-ring-bytes', '1Mi'], {
    tokens: [{ token: TOKEN, user: 'jane', groups: ['system:masters'] }],
  });
}, 60_000);
afterAll(async () => {
  for (const close of closers) close();
  await server.stop();
});

async function send(method: string, path: string, body?: unknown): Promise<string> {
  const asked = request(server.url + path, { method, ca: server.ca, headers: { ...HEADERS, 'content-type': 'application/json' } });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await deadline(once(asked, 'response'), WAIT_MS, 'an answer')) as [IncomingMessage];
  const text = await readText(answer);
  if ((answer.statusCode ?? 0) >= 300) throw new Error(`${method} ${path}: ${text}`);
  return text;
}

/** A watch that is open and of which nothing is read. */
interface Unread {
  /** Reads what there is, and on to the end, each piece as text. */
  readonly read: (take: (text: string) => void) => void;
  /** How it ended. */
  readonly ended: Promise<'in good order' | 'cut off'>;
}

const watchOf = (collection: string) => `${collection}?watch=true&resourceVersion=${version}`;
let version = '';

async function overHttp1(path: string): Promise<Unread> {
  const asked = request(server.url + path, { ca: server.ca, headers: HEADERS, agent: false });
  asked.end();
  const [message] = (await deadline(once(asked, 'response'), WAIT_MS, 'a watch')) as [IncomingMessage];
  closers.push(() => message.destroy());
  message.on('error', () => undefined); // told by 'close'
  return {
    read: (take) => message.setEncoding('utf8').on('data', take),
    ended: new Promise((resolve) => message.once('close', () => resolve(message.complete ? 'in good order' : 'cut off'))),
  };
}

async function openSession(): Promise<ClientHttp2Session> {
  const session = connect(server.url, { ca: server.ca });
  closers.push(() => session.destroy());
  await deadline(once(session, 'connect'), WAIT_MS, 'a connection');
  // What one stream leaves unread must not fill the connection's window: that is the client's business.
  session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
  return session;
}

async function overHttp2(session: ClientHttp2Session, path: string): Promise<Unread> {
  const stream: ClientHttp2Stream = session.request({ ':path': path, ...HEADERS });
  stream.on('error', () => undefined); // told by 'close'
  await deadline(once(stream, 'response'), WAIT_MS, 'a watch');
  return {
    read: (take) => stream.setEncoding('utf8').on('data', take),
    ended: new Promise((resolve) =>
      stream.once('close', () => resolve(stream.rstCode === constants.NGHTTP2_NO_ERROR ? 'in good order' : 'cut off')),
    ),
  };
}

async function overWebSocket(path: string): Promise<Unread> {
  const webSocket = new WebSocket(server.url.replace('https', 'wss') + path, PROTOCOLS, { ca: server.ca, origin: server.url });
  closers.push(() => webSocket.terminate());
  await deadline(once(webSocket, 'open'), WAIT_MS, 'a watch');
  webSocket.pause();
  return {
    read: (take) => {
      webSocket.on('message', (message: Buffer) => take(message.toString()));
      webSocket.resume();
    },
    ended: new Promise((resolve) => webSocket.once('close', (code) => resolve(code === ABNORMAL_CLOSURE ? 'cut off' : 'in good order'))),
  };
}
/** RFC 6455 section 7.4.1: what a client calls a connection that ended without a closing frame. */
const ABNORMAL_CLOSURE = 1006;

/** The values of the label `step` as they arrive. */
function stepsOf({ read }: Unread): readonly number[] {
  const steps: number[] = [];
  let rest = '';
  read((text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) steps.push(Number(/"step":"(\d+)"/.exec(line)?.[1]));
  });
  return steps;
}

const revision = (name: string, namespace: string, step: number, data = '') => ({
  ...CONTROLLER_REVISION.sample(name, namespace),
  metadata: { name, namespace, labels: { step: String(step) } },
  data: { data },
});

const terminated = async (): Promise<number> =>
  Number(
    /^apiserver_terminated_watchers_total\{group="apps",resource="controllerrevisions"\} (\d+)$/m.exec(await send('GET', '/metrics'))?.[1],
  );

describe('A watch that its client does not read', () => {
  it('is cut off on every transport, while a thousand others get every change', async () => {
    version = /"resourceVersion":"(\d+)"/.exec(await send('GET', `${SMALL}?limit=1`))?.[1] ?? '';
    const [session, ...sessions] = await Promise.all(Array.from({ length: 5 }, openSession));
    if (session === undefined) throw new Error('no connection');
    const stuck = [await overHttp1(watchOf(LARGE)), await overHttp2(session, watchOf(LARGE)), await overWebSocket(watchOf(LARGE))];
    const beside = [await overHttp1(watchOf(LARGE)), await overHttp2(session, watchOf(LARGE)), await overWebSocket(watchOf(LARGE))];
    const others = await Promise.all([
      ...sessions.flatMap((shared) => Array.from({ length: 220 }, () => overHttp2(shared, watchOf(SMALL)))),
      ...Array.from({ length: 90 }, () => overHttp1(watchOf(SMALL))),
      ...Array.from({ length: 30 }, () => overWebSocket(watchOf(SMALL))),
    ]);
    expect(others).toHaveLength(1000);
    const seen = [...beside, ...others].map(stepsOf);

    let step = 0;
    for (; (await terminated()) < stuck.length && step < MOST_WRITES; step++) {
      await send('POST', LARGE, revision(`r${step}`, 'large', step, 'x'.repeat(LARGE_BYTES)));
      await send('POST', SMALL, revision(`r${step}`, 'small', step));
      // Those who read keep up, however busy this process is with a thousand of them.
      await waitFor(() => seen.every(({ length }) => length > step), { what: `change ${step}`, timeoutMs: WAIT_MS, everyMs: 1 });
    }
    expect(await terminated()).toBe(stuck.length);
    const all = Array.from({ length: step }, (_, at) => at);
    for (const steps of seen) expect(steps).toEqual(all);

    // They had the beginning, in order, and learn that there was more.
    const read = stuck.map(stepsOf);
    expect(await Promise.all(stuck.map(({ ended }) => deadline(ended, WAIT_MS, 'the cut')))).toEqual(stuck.map(() => 'cut off'));
    for (const steps of read) {
      expect(steps.length).toBeLessThan(step);
      expect(steps).toEqual(all.slice(0, steps.length));
    }
    expect(await send('GET', '/metrics')).toMatch(/^apiserver_longrunning_requests\{.*resource="controllerrevisions".*\} 1003$/m);
  }, 120_000);
});
