/** Watches over WebSocket, as a web page opens them, and which pages may use the API at all. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import type { ApiObject } from '../support/api-object.ts';
import { collectionPath, CRON_JOB, itemPath } from '../support/kinds.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { BACKENDS, openTestStore, secureFlags, type TestStore } from '../support/test-store.ts';
import { deadline, waitFor } from '../support/wait.ts';

const WAIT_MS = 10_000;
const TOKEN = 'good-token';
const TOKEN_PROTOCOL = `base64url.bearer.authorization.k8s.io.${Buffer.from(TOKEN).toString('base64url')}`;
const NAMESPACE = 'pages';
const COLLECTION = collectionPath(CRON_JOB, NAMESPACE);
const PAGE = 'https://console.example.com';

let store: TestStore;
let server: SecureServer;

async function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<IncomingMessage> {
  const asked = request(server.url + path, {
    method,
    ca: server.ca,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
  });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await deadline(once(asked, 'response'), WAIT_MS, 'an answer')) as [IncomingMessage];
  return answer;
}

const create = async (name: string): Promise<ApiObject> =>
  JSON.parse(await readText(await send('POST', COLLECTION, {}, CRON_JOB.sample(name, NAMESPACE)))) as ApiObject;

interface OpenOptions {
  readonly origin?: string;
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

const open = (path: string, { origin = server.url, protocols = [TOKEN_PROTOCOL, 'watch'], headers = {} }: OpenOptions = {}) =>
  new WebSocket(server.url.replace('https', 'wss') + path, [...protocols], {
    ca: server.ca,
    headers: { ...headers, ...(origin === '' ? {} : { origin }) },
  });

interface Message {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

/** Its messages, from the first one on. */
function messagesOf(webSocket: WebSocket): () => Promise<Message> {
  const come: Message[] = [];
  let wake: (() => void) | undefined;
  webSocket.on('message', (bytes: Buffer, isBinary) => {
    come.push({ bytes, isBinary });
    wake?.();
  });
  return async () => {
    for (;;) {
      const message = come.shift();
      if (message !== undefined) return message;
      await deadline(new Promise<void>((resolve) => (wake = resolve)), WAIT_MS, 'a message');
    }
  };
}

const eventOf = ({ bytes }: Message) => JSON.parse(bytes.toString()) as { readonly type: string; readonly object: ApiObject };

/** The code of the plain answer that came instead. */
async function refusal(webSocket: WebSocket): Promise<number> {
  webSocket.on('error', () => undefined);
  const [, answer] = (await deadline(once(webSocket, 'unexpected-response'), WAIT_MS, 'a refusal')) as [unknown, IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

describe.each(BACKENDS)('On %s', (backend) => {
  beforeAll(async () => {
    store = await openTestStore(backend);
    server = await startSecureServer([...secureFlags(store), '--cors-allowed-origins', '^https://console\\.example\\.com$'], {
      tokens: [{ token: TOKEN, user: 'jane', groups: ['system:masters'] }],
    });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await store.close();
  });

  describe('A watch over WebSocket', () => {
    it('has one text message for each event, and the protocol that is no token', async () => {
      const webSocket = open(
        `${COLLECTION}?watch=true&resourceVersion=0&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      );
      const next = messagesOf(webSocket);
      const bookmark = await next();
      expect(eventOf(bookmark).type).toBe('BOOKMARK');
      expect(webSocket.protocol).toBe('watch');
      const one = await create('one');
      const two = await create('two');
      const first = await next();
      expect(first.isBinary).toBe(false);
      expect(eventOf(first)).toEqual({ type: 'ADDED', object: one });
      expect(eventOf(await next())).toEqual({ type: 'ADDED', object: two });
      (await send('DELETE', itemPath(CRON_JOB, NAMESPACE, 'one'))).resume();
      expect(eventOf(await next())).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'one' } } });
      webSocket.terminate();
    });

    it('shows the objects that are there, each in a message of its own', async () => {
      for (const name of ['three', 'four', 'five']) await create(name);
      // The newest state: from here on a state of any age shows all three.
      await readText(await send('GET', COLLECTION));
      const webSocket = open(`/apis/batch/v1/watch/namespaces/${NAMESPACE}/cronjobs?resourceVersion=0`);
      const next = messagesOf(webSocket);
      const names = [await next(), await next(), await next()].map((message) => eventOf(message).object.metadata.name);
      expect(names).toEqual(['five', 'four', 'three']);
      webSocket.terminate();
    });

    it('has binary messages in protobuf, without lengths', async () => {
      const webSocket = open(`${COLLECTION}?watch=true&resourceVersion=0`, {
        headers: { accept: 'application/vnd.kubernetes.protobuf;stream=watch' },
      });
      const { bytes, isBinary } = await messagesOf(webSocket)();
      expect(isBinary).toBe(true);
      // A WatchEvent: the field 1, `type`, of five bytes.
      expect(bytes.subarray(0, 7).toString('latin1')).toBe('\x0a\x05ADDED');
      webSocket.terminate();
    });

    it('ends in good order when its time is over', async () => {
      const webSocket = open(`${COLLECTION}?watch=true&timeoutSeconds=1`);
      const [code] = (await deadline(once(webSocket, 'close'), WAIT_MS, 'the end')) as [number];
      expect(code).toBe(1000);
    });

    it('ends when the page goes, and is counted no longer', async () => {
      const openWatches = async () => {
        const metrics = await readText(await send('GET', '/metrics'));
        return [...metrics.matchAll(/^apiserver_longrunning_requests\{.*\} ([0-9]+)$/gm)].reduce(
          (sum, [, count]) => sum + Number(count),
          0,
        );
      };
      const webSocket = open(`${COLLECTION}?watch=true&resourceVersion=0`);
      await messagesOf(webSocket)();
      webSocket.close();
      await deadline(once(webSocket, 'close'), WAIT_MS, 'the end');
      // The exposition is made at most once a second.
      await waitFor(async () => (await openWatches()) === 0, { what: () => 'the watch to be counted no longer' });
    });

    it('cuts off a page that sends more than a watch needs', async () => {
      const webSocket = open(`${COLLECTION}?watch=true`);
      await deadline(once(webSocket, 'open'), WAIT_MS, 'the connection');
      webSocket.send('x'.repeat(100_000));
      const [code] = (await deadline(once(webSocket, 'close'), WAIT_MS, 'the end')) as [number];
      expect([1006, 1009]).toContain(code);
    });

    it.each([
      ['a page from elsewhere', `${COLLECTION}?watch=true`, { origin: 'https://attacker.example' }, 400],
      ['the same host without TLS', `${COLLECTION}?watch=true`, { origin: 'http://127.0.0.1:1' }, 400],
      ['a client without an Origin', `${COLLECTION}?watch=true`, { origin: '' }, 400],
      ['an Origin that is none', `${COLLECTION}?watch=true`, { origin: 'null' }, 400],
      ['a list', COLLECTION, {}, 400],
      ['another path', '/version', {}, 400],
      ['a token that nobody has', `${COLLECTION}?watch=true`, { protocols: [`${TOKEN_PROTOCOL}x`, 'watch'] }, 401],
      ['nobody', `${COLLECTION}?watch=true`, { protocols: ['watch'] }, 403],
      ['a watch that asks for nonsense', `${COLLECTION}?watch=true&resourceVersion=x`, {}, 400],
      ['a resource that is not there', '/apis/batch/v1/namespaces/a/pods?watch=true', {}, 404],
    ] as const)('is refused for %s', async (_, path, options, code) => {
      expect(await refusal(open(path, options))).toBe(code);
    });

    it('is open to pages of an origin that is allowed', async () => {
      const webSocket = open(`${COLLECTION}?watch=true&resourceVersion=0`, { origin: PAGE });
      expect(eventOf(await messagesOf(webSocket)()).type).toBe('ADDED');
      webSocket.terminate();
    });
  });

  describe('A page of an origin that is allowed', () => {
    it('is told so before it asks, whoever it asks as', async () => {
      const answer = await send('OPTIONS', COLLECTION, { origin: PAGE, authorization: '', 'access-control-request-method': 'PUT' });
      answer.resume();
      expect(answer.statusCode).toBe(204);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
        vary: 'Origin',
      });
    });

    it('may read answers and refusals', async () => {
      for (const [path, code] of [
        [COLLECTION, 200],
        [`${COLLECTION}/none`, 404],
      ] as const) {
        const answer = await send('GET', path, { origin: PAGE });
        answer.resume();
        expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([code, PAGE]);
      }
    });
  });

  describe('A page of another origin', () => {
    it.each(['https://attacker.example', 'https://console.example.com.attacker.example', 'http://console.example.com', 'null'])(
      'is told nothing: %s',
      async (origin) => {
        const answer = await send('GET', COLLECTION, { origin });
        answer.resume();
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
        expect(answer.headers['vary']).toContain('Origin');
      },
    );
  });

  describe('A stop of the server', () => {
    it('ends WebSockets in good order', async () => {
      const webSocket = open(`${COLLECTION}?watch=true`);
      await deadline(once(webSocket, 'open'), WAIT_MS, 'the connection');
      const closed = deadline(once(webSocket, 'close'), WAIT_MS, 'the end');
      await server.stop();
      expect((await closed)[0]).toBe(1000);
    });
  });
});
