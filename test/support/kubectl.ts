/**
 * kubectl as users have it: `KUBECTL`, else the one on the PATH, else Debian's `kubernetes-client` when root can install it. With none of
 * the three the tests fail and say what was looked for; they are never skipped.
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
}

async function run(
  program: string,
  args: readonly string[],
  { input = '', env = process.env, timeoutMs = RUN_MS, enough = () => false }: RunOptions = {},
): Promise<Run> {
  const child = spawn(program, [...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (enough(stdout)) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
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

export interface Kubectl {
  /** Ends on its own. */
  readonly run: (args: readonly string[], options?: { readonly input?: string }) => Promise<Run>;
  /** Runs until `enough` holds of what was written, then is ended. */
  readonly follow: (args: readonly string[], enough: (stdout: string) => boolean) => Promise<Run>;
  readonly close: () => Promise<void>;
}

/** With a home of its own: nobody's configuration or discovery cache is read or written. `server` may change between calls. */
export async function openKubectl(server: () => string): Promise<Kubectl> {
  const program = await findProgram();
  const home: TemporaryDirectory = await temporaryDirectory();
  const env = { ...process.env, HOME: home.path, KUBECONFIG: '/dev/null' };
  const all = (args: readonly string[]) => ['--server', server(), ...args];
  return {
    run: (args, options = {}) => run(program, all(args), { ...options, env }),
    follow: (args, enough) => run(program, all(args), { env, enough }),
    close: home.remove,
  };
}
