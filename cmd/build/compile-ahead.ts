/**
 * Has the program compile what a start needs, and leave the outcome beside it (`cmd/coxswain/compiled-code.ts`): as only V8 knows which functions those are, each
 * command is started once, and a server on each store, without anybody asking it for anything.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

const PATIENCE_MS = 30_000;
/** Of a check that has found mistakes. */
const MISTAKES = 1;

/** Rejects when a command does not end as it should, or not within half a minute. */
export async function compileAhead(launcher: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'coxswain-build-'));
  try {
    const starts = [embedded(launcher, folder), etcd(launcher, folder), ended(run(launcher, ['config', 'check', '-'], '{}'), MISTAKES)];
    for (const each of await Promise.allSettled(starts)) if (each.status === 'rejected') throw each.reason;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Until it is ready. */
async function embedded(launcher: string, folder: string): Promise<void> {
  const server = run(launcher, [
    'serve',
    '--data-dir',
    path.join(folder, 'embedded'),
    '--secure-port',
    String(await freePort()),
    '--insecure-port',
    String(await freePort()),
  ]);
  server.stdout.once('data', () => server.kill('SIGTERM'));
  await ended(server);
}

/** Until it is connected with something that is no etcd. */
async function etcd(launcher: string, folder: string): Promise<void> {
  const nobody = createServer();
  const port = await listen(nobody);
  try {
    const server = run(launcher, ['serve', '--data-dir', path.join(folder, 'etcd'), '--etcd-servers', `http://127.0.0.1:${port}`]);
    nobody.on('connection', (socket) => {
      socket.on('error', () => undefined); // the server goes, whatever has not been read
      server.kill('SIGTERM');
      void once(server, 'close').then(() => socket.destroy());
    });
    await ended(server);
  } finally {
    nobody.close();
  }
}

type Running = ChildProcessByStdio<Writable, Readable, null>;

function run(launcher: string, args: readonly string[], input = ''): Running {
  const child = spawn(launcher, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: PATIENCE_MS, killSignal: 'SIGKILL' });
  child.stdin.end(input);
  return child;
}

async function ended(child: Running, orderly = 0): Promise<void> {
  child.stdout.resume();
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (code !== orderly) throw new Error(`"${child.spawnargs.slice(1).join(' ')}" ended with ${code ?? signal ?? 'nothing'}`);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}
