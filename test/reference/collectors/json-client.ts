/** Sends JSON to one server. */
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';

export interface JsonAnswer {
  readonly code: number;
  readonly body: unknown;
}

export interface JsonClient {
  readonly send: (method: string, path: string, body?: unknown, contentType?: string) => Promise<JsonAnswer>;
  readonly close: () => void;
}

export interface JsonClientOptions {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

export function createJsonClient({ url, ca, token }: JsonClientOptions): JsonClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 32, ca });
  return {
    send: async (method, path, body, contentType = 'application/json') => {
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const length = bytes === undefined ? {} : { 'content-type': contentType, 'content-length': String(bytes.byteLength) };
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json', ...length };
      const [code, answer] = await new Promise<readonly [number, string]>((resolve, reject) => {
        const sent = request(url + path, { agent, method, headers }, (message) => {
          text(message).then((read) => resolve([message.statusCode ?? 0, read]), reject);
        });
        sent.once('error', reject);
        sent.end(bytes);
      });
      return { code, body: answer === '' ? undefined : (JSON.parse(answer) as unknown) };
    },
    close: () => agent.destroy(),
  };
}
