/** The HTTP/1.1 transport on Express, which neither parses the query nor decodes the path nor writes the response. */
import express from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientCertificates } from './client-certificate.ts';
import { Http1ClientErrors } from './http1-client-error.ts';
import { Http1Request } from './http1-request.ts';
import { writeHttp1Response } from './http1-response.ts';
import { ChunkFramer } from './http1-response-writer.ts';
import { nodeHttp } from './node-http.ts';
import type { Responder } from './request.ts';

export interface ExpressTransportOptions {
  readonly respond: Responder;
  /** Absent on the insecure port. */
  readonly certificates?: ClientCertificates;
  /** True during shutdown: responses then close their connections. */
  readonly isDraining: () => boolean;
  /** Maximum time from the end of a response until the client has read it. */
  readonly unsentMs: number;
}

export interface ExpressTransport {
  /** For `request` and `checkContinue`: the body is requested only when a handler reads it. */
  readonly serve: (message: IncomingMessage, response: ServerResponse) => void;
  /** For the event `clientError`. */
  readonly refuse: (error: Error, socket: Duplex) => void;
  /** Whether a response is pending or unsent on the connection, so that nobody else may write. */
  isAnswering(socket: Duplex): boolean;
  /** Closes connections whose clients do not read their responses. Must be called periodically. */
  sweep(): void;
}

export function createExpressTransport({ respond, certificates, isDraining, unsentMs }: ExpressTransportOptions): ExpressTransport {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  // Express would change the prototype of every message. Objects with a changed prototype stay slow, which cost 10 % of
  // the CPU time of a GET.
  Object.assign(app, { request: nodeHttp.IncomingMessage.prototype, response: nodeHttp.ServerResponse.prototype });
  const framer = new ChunkFramer();
  const errors = new Http1ClientErrors();
  /** Ended responses that are not yet read, with the time of their end. */
  const unsent = new Map<ServerResponse, number>();
  app.use((message, response) => {
    const refusal = refusalOf(message);
    if (refusal !== undefined) {
      refuse(response, refusal);
      return;
    }
    const request = new Http1Request(message, response, certificates);
    void respond(request)
      .then((answer) => {
        const { awaitsContinue } = request;
        const close = isDraining() || certificates?.isOutdated(message.socket) === true;
        return writeHttp1Response(message, response, answer, { framer, close, awaitsContinue });
      })
      .then(() => {
        if (response.closed || response.writableFinished || message.socket.writableLength === 0) return;
        unsent.set(response, performance.now());
        response.once('close', () => unsent.delete(response));
      });
  });
  return {
    // Express calls the fallback for targets that it cannot parse, such as `http://[`.
    serve: (message, response) => {
      errors.serving(message.socket, response);
      Reflect.apply(app, undefined, [message, response, () => refuse(response, 400)]);
    },
    refuse: errors.refuse,
    isAnswering: (socket) => errors.isAnswering(socket),
    sweep: () => {
      const now = performance.now();
      for (const [response, endedAt] of unsent) if (now - endedAt > unsentMs) response.req.socket.destroy();
    },
  };
}

/** Requests that Node's parser accepts and this server does not. */
function refusalOf({ httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): 400 | 501 | undefined {
  // HTTP/0.9: no status, no headers, no clients.
  if (httpVersionMajor < 1) return 400;
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  // Not in HTTP/1.0: a proxy may see another end of the body (RFC 9112 section 6.1).
  if (httpVersionMajor === 1 && httpVersionMinor === 0) return 400;
  return coding.toLowerCase() === 'chunked' ? undefined : 501;
}

function refuse(response: ServerResponse, code: number): void {
  response.shouldKeepAlive = false;
  response.writeHead(code, { 'Content-Length': '0' }).end();
}
