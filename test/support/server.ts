/**
 * The built server as a process: `dist/` when it was built, else the sources, always through `bin/coxswain`, so that signals, exit codes and
 * memory figures are the server's own. Plain HTTP on a free loopback port; no answer is waited for without a deadline.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createApi, type Api } from './api.ts';
import { freePorts } from './free-port.ts';
import { deadline, waitFor } from './wait.ts';

export const LAUNCHER = resolve(import.meta.dirname, '../../bin/coxswain');
const READY_MS = 20_000;
const STOP_MS = 10_000;

export interface ServerProcess extends Api {
  readonly port: number;
  readonly pid: number;
  /** Everything written so far, for failure messages. */
  readonly output: () => string;
  /** Milliseconds from the start of the process until `/readyz` answered 200. */
  readonly readyAfterMs: number;
  /** SIGTERM; resolves when the process has ended with 0, throws with its output when it ends otherwise or not in time. Once is enough, twice is fine. */
  readonly stop: () => Promise<void>;
  /** SIGKILL, and the process is gone when this resolves. */
  readonly kill: () => Promise<void>;
  /** Any signal; does not wait. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves with the exit code (or the signal's name) once the process has ended. */
  readonly ended: Promise<number | string>;
}

export interface CommandResult {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `coxswain` to its end; `stop` asks it to end, and after `timeoutMs` it is killed, which `code` says. */
export async function runCoxswain(
  args: readonly string[],
  { env = {}, timeoutMs = READY_MS, stop }: { env?: NodeJS.ProcessEnv; timeoutMs?: number; stop?: AbortSignal } = {},
): Promise<CommandResult> {
  const child = spawn(LAUNCHER, [...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  stop?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  return { code: code ?? signal ?? 'unknown', stdout, stderr };
}

export interface StartOptions {
  /** Default: a free one. */
  readonly port?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly readyMs?: number;
  /** Nobody reads the server's output: its first line already meets a closed pipe. */
  readonly closeOutput?: boolean;
}

/** `flags` name the store; the port is ours. Rejects with the server's output when it ends early or is not ready in time. */
export async function startServer(flags: readonly string[], options: StartOptions = {}): Promise<ServerProcess> {
  const { env = {}, readyMs = READY_MS, closeOutput = false } = options;
  const port = options.port ?? (await freePorts(1))[0] ?? 0;
  const begin = performance.now();
  const child = spawn(LAUNCHER, ['serve', '--insecure-port', String(port), ...flags], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  if (closeOutput) {
    child.stdout.destroy();
    child.stderr.destroy();
  }
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => code ?? signal ?? 'unknown');
  let over: number | string | undefined;
  void ended.then((how) => (over = how));
  const api = createApi(`http://127.0.0.1:${port}`);
  const told = () => `coxswain serve ${flags.join(' ')}\n${output}`;

  const kill = async () => {
    api.close();
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await waitFor(
      async () => {
        if (over !== undefined) throw new Error(`the server ended (${over}) before it was ready: ${told()}`);
        return api.get('/readyz').then(
          (answer) => answer.code === 200,
          () => false,
        );
      },
      { what: () => `the server to be ready: ${told()}`, timeoutMs: readyMs, everyMs: 5 },
    );
  } catch (error) {
    await kill();
    throw error;
  }
  const readyAfterMs = performance.now() - begin;
  return {
    ...api,
    port,
    pid: child.pid ?? 0,
    output: () => output,
    readyAfterMs,
    ended,
    kill,
    signal: (name) => child.kill(name),
    stop: async () => {
      api.close();
      if (over === undefined) child.kill('SIGTERM');
      const how = await deadline(ended, STOP_MS, () => `the server to end after SIGTERM: ${told()}`).catch(async (error: unknown) => {
        await kill();
        throw error;
      });
      if (how !== 0) throw new Error(`the server ended with ${how} instead of 0: ${told()}`);
    },
  };
}

export interface TemporaryDirectory {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
