/**
 * `make test-http2`: h2spec, which holds a server against RFC 9113 and RFC 7541, on the HTTPS port with its own HTTP/2.
 * Wants Go, with which it is built.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSecure } from './transport.ts';

const PROGRAM = 'github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible';

const { port, listener } = await openSecure();
const args = ['run', PROGRAM, '--host', '127.0.0.1', '--port', String(port), '--tls', '--insecure'];
const [code] = (await once(spawn('go', args, { stdio: 'inherit' }), 'close')) as [number | null];
await listener.stop(0);
process.exitCode = code ?? 1;
