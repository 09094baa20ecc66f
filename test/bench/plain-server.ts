/**
 * The least that any server must do: plain `node:http` writes bytes that are ready. A process of its own:
 * `plain-server.ts FILE [GZIP_FILE]`, whose parent is told the port. `/` answers with the one, `/gzip` with the other.
 * It ends when its parent does.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file = '', zippedFile = file] = process.argv.slice(2);
const plain = readFileSync(file);
const zipped = readFileSync(zippedFile);

const server = createServer((request, response) => {
  const isZipped = request.url === '/gzip';
  const bytes = isZipped ? zipped : plain;
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': bytes.byteLength,
    ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.(address?.port);
});
process.once('disconnect', () => process.exit());
