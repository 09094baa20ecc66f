/**
 * The built server as a process: `dist/` when it was built, else the sources, always through `bin/coxswain`, so that
 * signals, exit codes and memory figures are the server's own. Plain HTTP or HTTPS on a free loopback port; no answer
 * is waited for without a deadline.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createApi, type Api } from './api.ts';
import { freePorts } from './free-port.ts';
import { deadline, waitFor } from './wait.ts';

export const LAUNCHER = resolve(import.meta.dirname, '../../bin/coxswain');
const READY_MS = 20_000;
const STOP_MS = 10_000;

/** A server that was started and is ready. */
export interface RunningProcess {
  readonly port: number;
  readonly pid: number;
  /** Everything written so far, for failure messages. */
  readonly output: () => string;
  /** Milliseconds from the start of the process until `/readyz` answered 200. */
  readonly readyAfterMs: number;
  /**
   * SIGTERM; resolves when the process has ended with 0, throws with its output when it ends otherwise or not in time.
   * Once is enough, twice is fine.
   */
  readonly stop: () => Promise<void>;
  /** SIGKILL, and the process is gone when this resolves. */
  readonly kill: () => Promise<void>;
  /** Any signal; does not wait. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves with the exit code (or the signal's name) once the process has ended. */
  readonly ended: Promise<number | string>;
}

export interface ServerProcess extends Api, RunningProcess {}

export interface CommandResult {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `coxswain` to its end; `stop` asks it to end, and after `timeoutMs` it is killed, which `code` says. */
export async function runCoxswain(
  args: readonly string[],
  {
    env = {},
    timeoutMs = READY_MS,
    stop,
    launcher = LAUNCHER,
  }: { env?: NodeJS.ProcessEnv; timeoutMs?: number; stop?: AbortSignal; launcher?: string } = {},
): Promise<CommandResult> {
  const child = spawn(launcher, [...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
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
  /** Default: that of this checkout. */
  readonly launcher?: string;
  /** Nobody reads the server's output: its first line already meets a closed pipe. */
  readonly closeOutput?: boolean;
}

/**
 * Plain HTTP alone. `flags` name the store; the port is ours. Rejects with the server's output when it ends early or is
 * not ready in time. A later `--secure-port` in `flags` opens the secure port as well.
 */
export async function startServer(flags: readonly string[], options: StartOptions = {}): Promise<ServerProcess> {
  const port = options.port ?? (await freePorts(1))[0] ?? 0;
  const api = createApi(`http://127.0.0.1:${port}`);
  const running = await launch(['serve', '--insecure-port', String(port), '--secure-port', '0', ...flags], {
    ...options,
    port,
    isReady: async () => (await api.get('/readyz')).code === 200,
    release: api.close,
  });
  return { ...api, ...running };
}

export interface SecureServer extends RunningProcess {
  /** `https://127.0.0.1:…`, without a slash at its end. */
  readonly url: string;
  readonly dataDir: string;
  /** Path of the kubeconfig that the server wrote for its admin. */
  readonly kubeconfig: string;
  /** PEM texts: the server's CA, and the certificate and key of the admin. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** One line of a token file. */
export interface TestToken {
  readonly token: string;
  readonly user: string;
  readonly groups?: readonly string[];
}

export interface SecureStartOptions extends StartOptions {
  /** Default: one of its own, which is removed when the server has stopped. */
  readonly dataDir?: string;
  /** Bearer tokens that the server is to know. */
  readonly tokens?: readonly TestToken[];
}

/**
 * HTTPS on a free port, with certificates that the server makes itself. `flags` are added; the store is the embedded
 * one unless they name an etcd.
 */
export async function startSecureServer(flags: readonly string[] = [], options: SecureStartOptions = {}): Promise<SecureServer> {
  const port = options.port ?? (await freePorts(1))[0] ?? 0;
  const own = options.dataDir === undefined ? await temporaryDirectory() : undefined;
  const dataDir = options.dataDir ?? own?.path ?? '';
  const pem = (name: string): Promise<string> => readFile(join(dataDir, 'pki', name), 'utf8');
  const credentials = async () => ({ ca: await pem('ca.crt'), cert: await pem('admin.crt'), key: await pem('admin.key') });
  const url = `https://127.0.0.1:${port}`;
  const all = ['serve', '--secure-port', String(port), '--data-dir', dataDir];
  if (options.tokens !== undefined) {
    const file = join(dataDir, 'tokens.csv');
    await writeFile(file, options.tokens.map(tokenLine).join(''), { mode: 0o600 });
    all.push('--token-auth-file', file);
  }
  try {
    const running = await launch([...all, ...flags], {
      ...options,
      port,
      isReady: async () => (await statusCode(`${url}/readyz`, await credentials())) === 200,
    });
    const stop = async () => {
      await running.stop();
      await own?.remove();
    };
    const kill = async () => {
      await running.kill();
      await own?.remove();
    };
    return { ...running, stop, kill, url, dataDir, kubeconfig: join(dataDir, 'admin.kubeconfig'), ...(await credentials()) };
  } catch (error) {
    await own?.remove();
    throw error;
  }
}

const tokenLine = ({ token, user, groups = [] }: TestToken): string =>
  `${token},${user},${user}-uid${groups.length === 0 ? '' : `,"${groups.join(',')}"`}\n`;

const statusCode = (url: string, tls: { readonly ca: string; readonly cert: string; readonly key: string }): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = httpsRequest(url, { ...tls, agent: false, timeout: 5000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    request.once('error', reject);
    request.end();
  });

export interface LaunchOptions extends StartOptions {
  readonly port: number;
  /** Asked again and again; an error means no. */
  readonly isReady: () => Promise<boolean>;
  /** Called before the process is ended. */
  readonly release?: () => void;
}

/** Starts any program that serves; rejects with its output when it ends early or is not ready in time. */
export async function launch(args: readonly string[], options: LaunchOptions): Promise<RunningProcess> {
  const { port, isReady, release = () => undefined, env = {}, readyMs = READY_MS, closeOutput = false, launcher = LAUNCHER } = options;
  const begin = performance.now();
  const child = spawn(launcher, [...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  if (closeOutput) {
    child.stdout.destroy();
    child.stderr.destroy();
  }
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const ended = once(child, 'close')
    .then(
      ([code, signal]: (number | string | null)[]) => code ?? signal ?? 'unknown',
      (error: unknown) => String(error),
    )
    .finally(() => process.off('exit', killAtExit));
  let over: number | string | undefined;
  void ended.then((how) => (over = how));
  const told = () => `${basename(launcher)} ${args.join(' ')}\n${output}`;

  const kill = async () => {
    release();
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await waitFor(
      async () => {
        if (over !== undefined) throw new Error(`the server ended (${over}) before it was ready: ${told()}`);
        return isReady().catch(() => false);
      },
      { what: () => `the server to be ready: ${told()}`, timeoutMs: readyMs, everyMs: 5 },
    );
  } catch (error) {
    await kill();
    throw error;
  }
  const readyAfterMs = performance.now() - begin;
  return {
    port,
    pid: child.pid ?? 0,
    output: () => output,
    readyAfterMs,
    ended,
    kill,
    signal: (name) => child.kill(name),
    stop: async () => {
      release();
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
