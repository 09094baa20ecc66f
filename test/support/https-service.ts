/** An HTTPS server on loopback with a CA of its own, for what the server under test asks: issuers, webhooks. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate } from '../../pkg/certificates/issue.ts';

export interface HttpsService {
  /** `https://localhost:…`, without a slash at its end. */
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** Refuses connections until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export type Responder = (request: IncomingMessage, response: ServerResponse) => void;

export async function openHttpsService(respond: Responder): Promise<HttpsService> {
  const now = Date.now();
  const authority = await createAuthority({ commonName: 'test-services', now });
  const identity = await issueCertificate(authority, { commonName: 'localhost', usage: 'server', names: ['localhost', '127.0.0.1'], now });
  const listen = async (at: number) => {
    const server = createServer({ cert: identity.cert, key: identity.key }, respond);
    server.listen(at, 'localhost');
    await once(server, 'listening');
    return server;
  };
  let server: Awaited<ReturnType<typeof listen>> | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  const pause = async () => {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    const closed = once(closing, 'close');
    closing.close();
    closing.closeAllConnections();
    await closed;
  };
  return {
    url: `https://localhost:${port}`,
    ca: authority.cert,
    pause,
    resume: async () => {
      server ??= await listen(port);
    },
    close: pause,
  };
}

export const sendJson = (response: ServerResponse, value: unknown, code = 200): void => {
  response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
};
