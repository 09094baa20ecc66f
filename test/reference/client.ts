/** Sends planned requests to one server. */
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { deadline } from '../support/wait.ts';
import type { BodyFormat } from './body.ts';
import type { Answer } from './outcome.ts';
import type { Placeholders } from './placeholders.ts';
import type { PlannedRequest } from './requests/request.ts';

const ANSWER_MS = 30_000;

export interface Client {
  readonly send: (planned: PlannedRequest, placeholders: Placeholders, format: BodyFormat) => Promise<Answer>;
  readonly close: () => void;
}

export interface ClientOptions {
  /** `https://127.0.0.1:6443` */
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

export function createClient({ url, ca, token }: ClientOptions): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 32, ca });
  const exchange = (method: string, path: string, headers: Readonly<Record<string, string>>, body: Buffer | undefined) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(body.byteLength) };
      const all = { authorization: `Bearer ${token}`, 'user-agent': 'compare/1.0', ...headers, ...length };
      const sent = request(url + path, { agent, method, headers: all }, resolve);
      sent.once('error', reject);
      sent.end(body);
    });
  return {
    send: async (planned, placeholders, format) => {
      const fill = (text: string) => placeholders.fill(text);
      const query = planned.query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(fill(value))}`).join('&');
      const body = planned.body === undefined ? undefined : format.write(planned.body, fill);
      const path = query === '' ? planned.path : `${planned.path}?${query}`;
      const answered = exchange(planned.method, path, planned.headers, body).then(async (message) => {
        const contentType = message.headers['content-type'] ?? '';
        return {
          code: message.statusCode ?? 0,
          contentType,
          warnings: warningsOf(message.rawHeaders),
          body: format.read(await buffer(message), contentType),
        };
      });
      return deadline(answered, ANSWER_MS, `the answer to ${planned.method} ${path}`).catch((error: unknown) => {
        if (isReset(error)) return NO_ANSWER;
        throw error;
      });
    },
    close: () => agent.destroy(),
  };
}

/** A handler that panics in Go closes its connection. */
const NO_ANSWER: Answer = { code: 0, contentType: '', warnings: [], body: 'the connection was closed' };
const isReset = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ECONNRESET';

/** The texts in headers such as `299 - "text"`. */
function warningsOf(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.flatMap((name, index) => {
    const value = rawHeaders[index + 1] ?? '';
    if (index % 2 === 1 || name.toLowerCase() !== 'warning') return [];
    const bytes = Buffer.from(value, 'latin1').toString('utf8');
    return [/^299 - "((?:[^"\\]|\\.)*)"$/s.exec(bytes)?.[1]?.replaceAll(/\\(.)/gs, '$1') ?? bytes];
  });
}
