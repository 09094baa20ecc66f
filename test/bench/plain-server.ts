/**
 * The least that any server must do: plain `node:http`, or `node:http2` over TLS, writes bytes that are ready. A
 * process of its own: `plain-server.ts FILE [GZIP_FILE [CERTIFICATE KEY]]`, whose parent is told the port. `/` answers
 * with the one, `/gzip` with the other. It ends when its parent does.
 */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';

const [file = '', zippedFile = file, cert, key] = process.argv.slice(2);
/** Several lists of 30 MB wait in one session. */
const MAX_SESSION_MEGABYTES = 1000;
const plain = readFileSync(file);
const zipped = readFileSync(zippedFile);

const respond = (request: { url?: string | undefined }, response: Pick<Parameters<RequestListener>[1], 'writeHead' | 'end'>) => {
  const isZipped = request.url === '/gzip';
  const bytes = isZipped ? zipped : plain;
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': bytes.byteLength,
    ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(bytes);
};
const server =
  cert === undefined || key === undefined
    ? createServer(respond)
    : createSecureServer({ cert: readFileSync(cert), key: readFileSync(key), maxSessionMemory: MAX_SESSION_MEGABYTES }, respond as never);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.(address?.port);
});
process.once('disconnect', () => process.exit());
