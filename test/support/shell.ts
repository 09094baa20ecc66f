/**
 * Lines of a shell in which `coxswain` is the built process, as a user types them: in a pipe, or in a terminal of some
 * width.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { findOnPath } from './programs.ts';
import { LAUNCHER } from './server.ts';

export interface ShellResult {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ShellOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

const TIMEOUT_MS = 25_000;

/** Without what this process was given for its own colours and width. */
const ENVIRONMENT: NodeJS.ProcessEnv = { ...process.env, PATH: `${dirname(LAUNCHER)}:${process.env['PATH'] ?? ''}`, TERM: 'xterm' };
for (const name of ['NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'COXSWAIN_DATA_DIR']) Reflect.deleteProperty(ENVIRONMENT, name);

/** Standard input is empty, and output goes into pipes. */
export const runShell = (line: string, options: ShellOptions): Promise<ShellResult> => run('sh', ['-c', line], options);

/** util-linux's script(1), which Debian always has, and other systems under the same name with other flags. */
export const hasTerminal = process.platform === 'linux' && findOnPath('script') !== undefined && findOnPath('stty') !== undefined;

/** In a pseudo terminal: both outputs come together, as they are seen there. */
export async function runInTerminal(line: string, columns: number, options: ShellOptions): Promise<Omit<ShellResult, 'stderr'>> {
  const { code, stdout } = await run('script', ['-qec', `stty cols ${columns} rows 40; ${line}`, '/dev/null'], options);
  return { code, stdout: stdout.replaceAll('\r\n', '\n') };
}

async function run(program: string, args: readonly string[], { cwd, env = {} }: ShellOptions): Promise<ShellResult> {
  const child = spawn(program, [...args], { cwd, env: { ...ENVIRONMENT, ...env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code: code ?? signal ?? 'unknown', stdout, stderr };
}
