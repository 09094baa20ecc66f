/** A command of a `client.json`, run to its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import type { Command } from './client-file.ts';

export interface CommandEnd {
  /** Undefined when it ended with 0; else `exit code 1`, `go is not installed` and the like. */
  readonly problem: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface CommandOptions {
  readonly folder: string;
  /** On top of this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Then it is killed, and whatever it has started with it. */
  readonly limitMs: number;
  /** Called with each line of output, of either stream. */
  readonly onLine?: (line: string) => void;
}

/**
 * `node` is the Node.js that runs this; anything else is looked for in the folder or on the PATH. Nothing is on its
 * standard input.
 */
export async function runCommand([program, ...args]: Command, options: CommandOptions): Promise<CommandEnd> {
  const begin = performance.now();
  const PATH = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const child = spawn(program, args, {
    cwd: options.folder,
    env: { ...process.env, ...options.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own, so that all of it can be ended
  });
  const stdout = gather(child.stdout, options.onLine);
  const stderr = gather(child.stderr, options.onLine);
  const endAll = () => endGroup(child.pid);
  process.once('exit', endAll);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endAll();
  }, options.limitMs);
  const problem = await once(child, 'close').then(
    ([code, signal]: (number | string | null)[]) => {
      if (late) return `did not end within ${options.limitMs / 1000} s`;
      return code === 0 ? undefined : code === null ? `ended by ${signal ?? 'a signal'}` : `exit code ${code}`;
    },
    (error: unknown) => (isNotFound(error) ? `${program} is not installed` : error instanceof Error ? error.message : String(error)),
  );
  clearTimeout(timer);
  process.removeListener('exit', endAll);
  return { problem, stdout: stdout(), stderr: stderr(), ms: performance.now() - begin };
}

const isNotFound = (error: unknown): boolean => typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

/** Everything that was read so far. */
function gather(stream: NodeJS.ReadableStream, onLine: (line: string) => void = () => undefined): () => string {
  let text = '';
  let open = '';
  stream.setEncoding('utf8');
  stream.on('data', (part: string) => {
    text += part;
    const lines = (open + part).split(/\r?\n|\r/);
    open = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  return () => text;
}

export const shown = (command: Command): string => command.map((word) => (/[^\w./:=@,+-]/.test(word) ? `'${word}'` : word)).join(' ');

/** The end of a long text, by lines. */
export const lastLines = (text: string, count: number): string => text.trimEnd().split('\n').slice(-count).join('\n');
