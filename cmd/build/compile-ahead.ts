/**
 * Has the program compile what a start needs, and leave the outcome beside it (`cmd/coxswain/compiled-code.ts`): as only V8 knows which functions those are, each
 * command is started once, and a server on each store, without anybody asking it for anything.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PATIENCE_MS = 30_000;

/** Rejects when a command does not run, or not to its end. */
export async function compileAhead(launcher: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'coxswain-build-'));
  try {
    const starts = [embedded(launcher, folder), etcd(launcher, folder), ended(run(launcher, ['config', 'check', '-'], '{}'))];
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
  server.stdout?.once('data', () => server.kill('SIGTERM'));
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

function run(launcher: string, args: readonly string[], input = ''): ChildProcess {
  const child = spawn(launcher, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: PATIENCE_MS, killSignal: 'SIGKILL' });
  child.stdin.end(input);
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  const [, signal] = await once(child.stdout === null ? child : child.stdout.resume(), 'close').then(() => [
    child.exitCode,
    child.signalCode,
  ]);
  if (signal === 'SIGKILL') throw new Error(`${child.spawnargs.slice(1, 3).join(' ')} took longer than ${PATIENCE_MS / 1000} s`);
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
