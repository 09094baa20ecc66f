/**
 * kubectl as users have it: `KUBECTL`, else the one on the PATH, else Debian's `kubernetes-client` when root can
 * install it. With none of the three the tests fail and say what was looked for; they are never skipped.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findOrInstall } from './programs.ts';
import { temporaryDirectory, type TemporaryDirectory } from './server.ts';

const RUN_MS = 20_000;

export interface Run {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  /** Called with everything written to stdout so far; true ends the program with SIGTERM. */
  readonly enough?: (stdout: string) => boolean;
  /** Ends the program with SIGTERM. */
  readonly stop?: AbortSignal;
}

async function run(
  program: string,
  args: readonly string[],
  { input = '', env = process.env, timeoutMs = RUN_MS, enough = () => false, stop }: RunOptions = {},
): Promise<Run> {
  const child = spawn(program, [...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (enough(stdout)) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  stop?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  child.stdin.on('error', () => {}); // it ended without reading everything
  child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  return { code: code ?? signal ?? 'unknown', stdout, stderr };
}

async function findProgram(): Promise<string> {
  const named = process.env['KUBECTL'];
  if (named !== undefined && named !== '') return named;
  const { path, why } = await findOrInstall('kubectl', 'kubernetes-client');
  if (path === undefined) throw new Error(`There is no kubectl: KUBECTL is not set; ${why}`);
  return path;
}

export const KUBECTL_PROGRAM = await findProgram();

/** 32 of 1.32: what a kubectl can do depends on its age. Debian 12 has 1.20. */
export const KUBECTL_MINOR = await readMinor();

async function readMinor(): Promise<number> {
  const { stdout, stderr } = await run(KUBECTL_PROGRAM, ['version', '--client', '-o', 'json'], {
    env: { ...process.env, KUBECONFIG: '/dev/null' },
  });
  const minor = /"minor": *"([0-9]+)/.exec(stdout)?.[1];
  if (minor === undefined) throw new Error(`${KUBECTL_PROGRAM} does not tell its version: ${stdout}${stderr}`);
  return Number(minor);
}

export interface Serving {
  /** What the first group of the pattern matched. */
  readonly found: string;
  readonly stop: () => Promise<void>;
}

export interface Kubectl {
  /** Ends on its own. `env`: on top of the one that finds the server. */
  readonly run: (args: readonly string[], options?: Pick<RunOptions, 'input' | 'env'>) => Promise<Run>;
  /** What it printed; throws what it complained about when it fails. */
  readonly told: (args: readonly string[], input?: string) => Promise<string>;
  /** Runs until `enough` holds of what was written, then is ended. */
  readonly follow: (args: readonly string[], enough: (stdout: string) => boolean) => Promise<Run>;
  /** Runs until it is stopped; resolves once `announced` matches what was written. */
  readonly serve: (args: readonly string[], announced: RegExp) => Promise<Serving>;
  readonly close: () => Promise<void>;
}

/** Where it connects: a plain URL without credentials, or a kubeconfig by its path. Both may change between calls. */
export type KubectlTarget = { readonly server: () => string } | { readonly kubeconfig: () => string };

/** With a home of its own: nobody's configuration or discovery cache is read or written. */
export async function openKubectl(target: KubectlTarget): Promise<Kubectl> {
  const home: TemporaryDirectory = await temporaryDirectory();
  const options = (env: NodeJS.ProcessEnv = {}) => ({
    env: { ...process.env, ...env, HOME: home.path, KUBECONFIG: 'kubeconfig' in target ? target.kubeconfig() : '/dev/null' },
  });
  const all = (args: readonly string[]) => ('server' in target ? ['--server', target.server(), ...args] : args);
  const runIt: Kubectl['run'] = (args, given = {}) => run(KUBECTL_PROGRAM, all(args), { ...given, ...options(given.env) });
  return {
    run: runIt,
    told: async (args, input) => {
      const { code, stdout, stderr } = await runIt(args, input === undefined ? {} : { input });
      if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${code} ${stderr}${stdout}`);
      return stdout;
    },
    follow: (args, enough) => run(KUBECTL_PROGRAM, all(args), { ...options(), enough }),
    serve: (args, announced) => {
      const stop = new AbortController();
      return new Promise((resolve, reject) => {
        const ended = run(KUBECTL_PROGRAM, all(args), {
          ...options(),
          stop: stop.signal,
          enough: (stdout) => {
            const found = announced.exec(stdout)?.[1];
            const stopped = async () => {
              stop.abort();
              await ended;
            };
            if (found !== undefined) resolve({ found, stop: stopped });
            return false;
          },
        });
        void ended.then(({ code, stderr }) => reject(new Error(`kubectl ${args.join(' ')} ended: ${code} ${stderr}`)));
      });
    },
    close: home.remove,
  };
}
