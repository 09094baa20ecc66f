/** A plain HTTP client for the tests: sends exactly what it is told, shows exactly what came back. */
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { ApiObject, ObjectList, StatusBody } from './api-object.ts';
import { deadline } from './wait.ts';
import { openWatchStream, type WatchStream } from './watch-stream.ts';

const ANSWER_MS = 15_000;

export interface Answer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: () => unknown;
  /** One object; throws, showing the answer, when it is an error. */
  readonly object: () => ApiObject;
  readonly list: () => ObjectList;
  /** Throws when the answer is no `Status`, or when its code differs from the HTTP code. */
  readonly status: () => StatusBody;
}

export interface SendOptions {
  /** A string or Buffer goes out as it is; anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  readonly baseUrl: string;
  readonly send: (method: string, path: string, options?: SendOptions) => Promise<Answer>;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly put: (path: string, body: unknown) => Promise<Answer>;
  readonly delete: (path: string, body?: unknown) => Promise<Answer>;
  /** `path` must ask for a watch; rejects with the answer when it is not a 200. */
  readonly watch: (path: string, headers?: Readonly<Record<string, string>>) => Promise<WatchStream>;
  /** Drops idle connections and open watches. */
  readonly close: () => void;
}

function bodyOf(options: SendOptions): { bytes: Buffer; headers: Record<string, string | number> } | undefined {
  if (options.body === undefined) return undefined;
  const raw = typeof options.body === 'string' || Buffer.isBuffer(options.body);
  const bytes = raw ? Buffer.from(options.body as string) : Buffer.from(JSON.stringify(options.body));
  return { bytes, headers: { 'content-type': 'application/json', 'content-length': bytes.byteLength } };
}

export function toAnswer(code: number, headers: IncomingHttpHeaders, text: string): Answer {
  const shown = () => `${code} ${text.slice(0, 2000)}`;
  const json = (): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Error(`not JSON: ${shown()}`, { cause: error });
    }
  };
  const kindOf = (): string => (json() as { kind?: string }).kind ?? '';
  return {
    code,
    headers,
    text,
    json,
    object: () => {
      if (kindOf() === 'Status') throw new Error(`expected an object: ${shown()}`);
      return json() as ApiObject;
    },
    list: () => {
      if (!kindOf().endsWith('List')) throw new Error(`expected a list: ${shown()}`);
      return json() as ObjectList;
    },
    status: () => {
      const body = json() as StatusBody;
      if (kindOf() !== 'Status') throw new Error(`expected a Status: ${shown()}`);
      if (body.status === 'Failure' && body.code !== code) throw new Error(`the Status names another code: ${shown()}`);
      return body;
    },
  };
}

export function createApi(baseUrl: string): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const watches = new Set<WatchStream>();

  const open = (method: string, path: string, options: SendOptions): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const body = bodyOf(options);
      const request = httpRequest(baseUrl + path, { agent, method, headers: { ...body?.headers, ...options.headers } }, resolve);
      request.once('error', reject);
      request.end(body?.bytes);
    });

  const send = (method: string, path: string, options: SendOptions = {}): Promise<Answer> =>
    deadline(
      open(method, path, options).then(async (message) => toAnswer(message.statusCode ?? 0, message.headers, await readText(message))),
      ANSWER_MS,
      `the answer to ${method} ${path}`,
    );

  return {
    baseUrl,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body) => send('POST', path, { body }),
    put: (path, body) => send('PUT', path, { body }),
    delete: (path, body) => send('DELETE', path, { body }),
    watch: async (path, headers = {}) => {
      const message = await deadline(open('GET', path, { headers }), ANSWER_MS, `the watch ${path} to begin`);
      if (message.statusCode !== 200) throw new Error(`GET ${path}: ${message.statusCode ?? 0} ${await readText(message)}`);
      const stream = openWatchStream(message);
      watches.add(stream);
      void stream.ended.then(() => watches.delete(stream));
      return stream;
    },
    close: () => {
      for (const stream of watches) stream.close();
      agent.destroy();
    },
  };
}
