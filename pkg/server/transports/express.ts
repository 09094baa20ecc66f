/**
 * The HTTP/1.1 transport: Express, one line to the chain. Express neither parses the query nor decodes the path nor
 * writes anything here.
 */
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
  /** Absent: the insecure port. */
  readonly certificates?: ClientCertificates;
  /** True while the server stops: answers tell the client to close the connection. */
  readonly isDraining: () => boolean;
  /** From the end of an answer until the reader has taken it. */
  readonly unsentMs: number;
}

export interface ExpressTransport {
  /**
   * For the events `request` and `checkContinue`: the body is asked for when a handler wants it, so that one that is
   * refused is never sent.
   */
  readonly serve: (message: IncomingMessage, response: ServerResponse) => void;
  /** For the event `clientError`. */
  readonly refuse: (error: Error, socket: Duplex) => void;
  /** Whether an answer is still to come on the connection, or has not left it: nobody else may write there. */
  isAnswering(socket: Duplex): boolean;
  /** Cuts the connections whose answers were not taken in time. To be called every now and then. */
  sweep(): void;
}

export function createExpressTransport({ respond, certificates, isDraining, unsentMs }: ExpressTransportOptions): ExpressTransport {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  // Express gives every message a prototype with methods of its own. Nothing here calls them, and objects whose
  // prototype changes are slow ever after, in Node's own code too: 10 % of the CPU time of a GET.
  Object.assign(app, { request: nodeHttp.IncomingMessage.prototype, response: nodeHttp.ServerResponse.prototype });
  const framer = new ChunkFramer();
  const errors = new Http1ClientErrors();
  /** Answers that were ended, but that their readers do not take, with the time of their end. */
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
    // Express goes on to what stands behind it when it can make nothing of the target, such as `http://[`.
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

/** What Node's parser takes and this server does not. */
function refusalOf({ httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): 400 | 501 | undefined {
  // A request line without a version: HTTP/0.9, which has no status, no headers and no clients.
  if (httpVersionMajor < 1) return 400;
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  // HTTP/1.0 has none: whoever passed it on may see another end of the body (RFC 9112 section 6.1).
  if (httpVersionMajor === 1 && httpVersionMinor === 0) return 400;
  return coding.toLowerCase() === 'chunked' ? undefined : 501;
}

function refuse(response: ServerResponse, code: number): void {
  response.shouldKeepAlive = false;
  response.writeHead(code, { 'Content-Length': '0' }).end();
}
