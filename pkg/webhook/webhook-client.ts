/** Posts JSON to a webhook. One deadline for the whole exchange; connections are kept. */
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { WebhookConfig } from './webhook-config.ts';

export interface WebhookClient {
  /** The body of a 2xx response. Rejects with an Error without credentials in it. */
  post(json: string): Promise<Buffer>;
  close(): void;
}

export interface WebhookClientOptions {
  readonly timeoutMs: number;
  /** Larger responses are refused. */
  readonly maxResponseBytes?: number;
}

const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_SOCKETS = 32;

export function createWebhookClient(config: WebhookConfig, options: WebhookClientOptions): WebhookClient {
  const { timeoutMs, maxResponseBytes = MAX_RESPONSE_BYTES } = options;
  const { url, ca, cert, key, verify, serverName, authorization } = config;
  const pool = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const isTls = url.protocol === 'https:';
  const tls = { ca, cert, key, rejectUnauthorized: verify, ...(serverName === undefined ? {} : { servername: serverName }) };
  const agent = isTls ? new HttpsAgent({ ...pool, ...tls }) : new HttpAgent(pool);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  };

  const exchange = (body: Buffer, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const send = isTls ? requestHttps : requestHttp;
      const sent = send(url, { method: 'POST', agent, signal, headers: { ...headers, 'content-length': body.byteLength } }, resolve);
      sent.once('error', reject);
      sent.end(body);
    });

  return {
    post: async (json) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await exchange(Buffer.from(json), signal).catch((error: unknown) => {
        throw signal.aborted ? new Error(`no answer within ${timeoutMs} ms`, { cause: error }) : error;
      });
      const body = await readUpTo(response, maxResponseBytes);
      const code = response.statusCode ?? 0;
      if (code < 200 || code >= 300) throw new Error(`the answer is ${code}: ${body.subarray(0, 200).toString()}`);
      return body;
    },
    close: () => agent.destroy(),
  };
}

async function readUpTo(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    const buffer = part as Buffer;
    bytes += buffer.byteLength;
    if (bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    parts.push(buffer);
  }
  return Buffer.concat(parts);
}
