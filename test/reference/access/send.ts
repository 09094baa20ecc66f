/** Sends a request and takes what is compared of the answer: its code, and a Status as it is. */
import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import type { CertifiedKey } from '../../../pkg/certificates/issue.ts';
import type { ClientOptions } from '../client.ts';

export interface AccessAnswer {
  readonly code: number;
  /** Of a refusal: the Status, or a text. */
  readonly body?: unknown;
}

export interface SentAccess {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export type SendAccess = (call: SentAccess) => Promise<AccessAnswer>;

export function createSender({ url, ...tls }: Pick<ClientOptions, 'url' | 'ca'> & Partial<CertifiedKey>): SendAccess {
  const agent = new Agent({ keepAlive: true, ...tls });
  return async ({ method, path, headers = {}, body }) => {
    const all = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]));
    const options: RequestOptions = { agent, method, headers: all };
    const sent = request(url + path, options);
    sent.end(body);
    const [message] = (await once(sent, 'response')) as [IncomingMessage];
    const code = message.statusCode ?? 0;
    if (code < 400) {
      // A watch would not end.
      message.destroy();
      return { code };
    }
    return toAccessAnswer(code, await readText(message));
  };
}

/** Of a refusal. */
export const toAccessAnswer = (code: number, text: string): AccessAnswer => ({ code, body: toBody(text) });

function toBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
