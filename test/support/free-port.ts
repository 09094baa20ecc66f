import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/**
 * Below those that the system gives to clients (from 32768 on Linux, 49152 on macOS): a server that is started again
 * finds its port as it left it, and no client that tried it meanwhile, not even one that got it as its own, is in the
 * way.
 */
const FIRST = 16_000;
const BEHIND_LAST = 32_000;
const MAX_TRIES = 100;

/**
 * Ports of loopback that were free a moment ago, all different. Whoever takes one must be ready to be told that it is
 * gone.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  for (let tries = 1; held.size < count; tries++) {
    if (tries > MAX_TRIES + count) throw new Error(`no ${count} free ports from ${FIRST} to ${BEHIND_LAST - 1}`);
    const port = randomInt(FIRST, BEHIND_LAST);
    const server = await listen(port);
    if (server !== undefined) held.set(port, server);
  }
  await Promise.all(Array.from(held.values(), (server) => new Promise((resolve) => server.close(resolve))));
  return [...held.keys()];
}

/** Undefined: somebody else has the port. */
function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
