/**
 * The HTTP/1.1 rim: Express, one line to the chain. Express neither parses the query nor decodes the path nor writes anything here.
 */
import express from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientCertificates } from './client-certificate.ts';
import { Http1Request } from './http1-request.ts';
import { writeHttp1Response } from './http1-response.ts';
import { ChunkFramer } from './http1-sink.ts';
import type { Responder } from './request.ts';

export interface ExpressRimOptions {
  readonly respond: Responder;
  /** Absent: the insecure port. */
  readonly certificates?: ClientCertificates;
  /** True while the server stops: answers tell the client to close the connection. */
  readonly isDraining: () => boolean;
}

export type RequestListener = (message: IncomingMessage, response: ServerResponse) => void;

export function createExpressRim({ respond, certificates, isDraining }: ExpressRimOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  const framer = new ChunkFramer();
  app.use((message, response) => {
    const request = new Http1Request(message, response, certificates);
    void respond(request).then((answer) => {
      const { awaitsContinue } = request;
      return writeHttp1Response(message, response, answer, { framer, close: isDraining(), awaitsContinue });
    });
  });
  return app;
}
