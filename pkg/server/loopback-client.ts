/** Requests of the server to itself, which pass the whole chain. For answers that are no streams: those of writes. */
import { discardResponse, type Responder } from './transports/request.ts';

export interface LoopbackClientOptions {
  readonly respond: Responder;
  /** A bearer token that the server knows. */
  readonly token: string;
  readonly userAgent: string;
}

export interface LoopbackRequest {
  readonly method: string;
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface LoopbackResponse {
  readonly code: number;
  readonly text: string;
}

export type LoopbackClient = (request: LoopbackRequest) => Promise<LoopbackResponse>;

export const createLoopbackClient =
  ({ respond, token, userAgent }: LoopbackClientOptions): LoopbackClient =>
  async ({ method, path, query, contentType, body }) => {
    const response = await respond({
      method,
      path,
      query,
      headers: {
        host: 'localhost',
        authorization: `Bearer ${token}`,
        'user-agent': userAgent,
        accept: 'application/json',
        'content-type': contentType,
        'content-length': String(body.byteLength),
      },
      protocol: 'h2',
      secure: true,
      remoteAddress: '127.0.0.1',
      readBody: () => Promise.resolve(body),
      onDisconnect: () => undefined,
    });
    if ('body' in response) return { code: response.code, text: Buffer.concat(response.body).toString() };
    await discardResponse(response);
    throw new Error(`the answer to ${method} ${path} is a stream`);
  };
