/** Asks the secure port with a bearer token, and takes nothing but success. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import type { SecureServer } from './server.ts';
import { deadline } from './wait.ts';

const WAIT_MS = 30_000;

/** The text of the answer. */
export type TokenClient = (method: string, path: string, body?: unknown) => Promise<string>;

export const createTokenClient =
  ({ url, ca }: Pick<SecureServer, 'url' | 'ca'>, token: string): TokenClient =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = request(url + path, { method, ca, headers });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await deadline(once(asked, 'response'), WAIT_MS, 'an answer')) as [IncomingMessage];
    const text = await readText(answer);
    if ((answer.statusCode ?? 0) >= 300) throw new Error(`${method} ${path}: ${text}`);
    return text;
  };
