/** Asks another server over HTTPS for JSON, within a deadline and a limit of size. Follows no redirects. */
import type { RequestOptions } from 'node:https';

export interface RemoteServer {
  /** PEM. Absent: the CAs that Node knows. */
  readonly ca?: string | undefined;
  /** PEM of a client certificate and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name in the server's certificate, if it is not that of the URL. */
  readonly serverName?: string | undefined;
  readonly bearerToken?: string | undefined;
}

export interface RemoteQuestion {
  readonly url: string;
  /** Sent as JSON by POST. Absent: GET. */
  readonly body?: unknown;
  readonly timeoutMs: number;
}

const MAX_BYTES = 1024 * 1024;

/** Throws an Error that names the URL, but never what was sent. Any code but 200 and 201 is an error. */
export async function requestJson(server: RemoteServer, { url, body, timeoutMs }: RemoteQuestion): Promise<unknown> {
  const { request } = await import('node:https');
  const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => reject(new Error(`${url}: ${why}`, { cause }));
    const outgoing = request(url, { ...optionsOf(server, sent), signal }, (answer) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (piece: Buffer) => {
        bytes += piece.byteLength;
        if (bytes > MAX_BYTES) answer.destroy(new Error('the answer is too large'));
        else pieces.push(piece);
      });
      answer.on('error', (error) => fail(reasonOf(error, signal, timeoutMs), error));
      answer.on('end', () => {
        const { statusCode = 0 } = answer;
        if (statusCode !== 200 && statusCode !== 201) return fail(`the answer has the code ${statusCode}`);
        try {
          resolve(JSON.parse(Buffer.concat(pieces).toString('utf8')));
        } catch (error) {
          fail('the answer is not JSON', error);
        }
      });
    });
    outgoing.on('error', (error) => fail(reasonOf(error, signal, timeoutMs), error));
    outgoing.end(sent);
  });
}

const reasonOf = (error: Error, signal: AbortSignal, timeoutMs: number) =>
  signal.aborted ? `no answer within ${timeoutMs} ms` : error.message;

function optionsOf({ ca, cert, key, serverName, bearerToken }: RemoteServer, body: Buffer | undefined): RequestOptions {
  return {
    method: body === undefined ? 'GET' : 'POST',
    // A connection of its own: requests are rare, and a kept one would hold up the end of the process.
    agent: false,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.byteLength }),
      ...(bearerToken === undefined ? {} : { Authorization: `Bearer ${bearerToken}` }),
    },
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}
