/** Posts JSON to a webhook. One deadline for the whole exchange; connections are kept. */
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { errorMessage } from '../apimachinery/status/error-message.ts';
import type { WebhookConfig } from './webhook-config.ts';

export interface WebhookClient {
  /** The body of a 2xx response. Rejects with a WebhookError, which has no credentials in it. */
  post(json: string): Promise<Buffer>;
  /** Ends idle connections now, and each other one after its call. */
  close(): void;
}

export interface WebhookClientOptions {
  readonly timeoutMs: number;
  /** Larger responses are refused. */
  readonly maxResponseBytes?: number;
  /** Called for each call of a server whose certificate has no subject alternative name, trusted or not. */
  readonly onMissingSan?: () => void;
}

export class WebhookError extends Error {
  readonly isTimeout: boolean;
  /** It may pass: worth another try. */
  readonly isTransient: boolean;

  constructor(message: string, { isTimeout = false, isTransient = false, cause }: WebhookErrorOptions) {
    super(message, { cause });
    this.isTimeout = isTimeout;
    this.isTransient = isTransient;
  }
}

interface WebhookErrorOptions {
  readonly isTimeout?: boolean;
  readonly isTransient?: boolean;
  readonly cause?: unknown;
}

const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_SOCKETS = 32;

export function createWebhookClient(config: WebhookConfig, options: WebhookClientOptions): WebhookClient {
  const { timeoutMs, maxResponseBytes = MAX_RESPONSE_BYTES, onMissingSan } = options;
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
      const read = async () => {
        const response = await exchange(Buffer.from(json), signal);
        if (response.socket instanceof TLSSocket && isWithoutSan(response.socket.getPeerCertificate())) onMissingSan?.();
        return { response, body: await readUpTo(response, maxResponseBytes) };
      };
      const { response, body } = await read().catch((error: unknown) => {
        if (isWithoutSan(membersOf(error)['cert'])) onMissingSan?.();
        if (signal.aborted) throw new WebhookError(`no answer within ${timeoutMs} ms`, { isTimeout: true, cause: error });
        throw new WebhookError(errorMessage(error), { isTransient: isReset(error), cause: error });
      });
      assertSuccess(response, body);
      return body;
    },
    close: () => {
      agent.maxFreeSockets = 0;
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
  };
}

function assertSuccess({ statusCode: code = 0, headers }: IncomingMessage, body: Buffer): void {
  if (code >= 200 && code < 300) return;
  const isDelay = headers['retry-after'] !== undefined && code >= 500;
  throw new WebhookError(`the answer is ${code}: ${body.subarray(0, 200).toString()}`, {
    isTimeout: code === 504,
    isTransient: TRANSIENT_CODES.has(code) || isDelay,
  });
}

/** Of a failed check of its name, the error has the certificate. */
const isWithoutSan = (certificate: unknown): boolean =>
  'subject' in membersOf(certificate) && membersOf(certificate)['subjectaltname'] === undefined;

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const TRANSIENT_CODES: ReadonlySet<number> = new Set([429, 500, 504]);

const isReset = (error: unknown): boolean => membersOf(error)['code'] === 'ECONNRESET';

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
