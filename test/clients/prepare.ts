/** Makes a language ready to run: are its tools there, and do its programs build. */
import { setInterval } from 'node:timers';
import type { ClientFile } from './client-file.ts';
import { lastLines, runCommand, shown } from './run-command.ts';

const TOOL_MS = 60_000;
/** A first build downloads and compiles everything. */
const PREPARE_MS = 15 * 60_000;
const PROGRESS_MS = 15_000;

export type Preparation =
  | { readonly state: 'ready' }
  /** A tool is missing: nothing is wrong, but nothing can run. */
  | { readonly state: 'missing'; readonly why: string }
  | { readonly state: 'failed'; readonly why: string; readonly output: string };

/** `say` is told what is done, and in between, when it takes long, how far it is. */
export async function prepare({ tools, prepare: commands }: ClientFile, folder: string, say: (line: string) => void): Promise<Preparation> {
  for (const command of tools) {
    const { problem } = await runCommand(command, { folder, limitMs: TOOL_MS });
    if (problem !== undefined)
      return { state: 'missing', why: problem.endsWith('not installed') ? problem : `${shown(command)}: ${problem}` };
  }
  for (const command of commands) {
    say(shown(command));
    const { problem, stdout, stderr } = await withProgress(say, (onLine) => runCommand(command, { folder, limitMs: PREPARE_MS, onLine }));
    if (problem !== undefined)
      return { state: 'failed', why: `${shown(command)}: ${problem}`, output: lastLines(`${stdout}${stderr}`, 40) };
  }
  return { state: 'ready' };
}

async function withProgress<T>(say: (line: string) => void, run: (onLine: (line: string) => void) => Promise<T>): Promise<T> {
  const begin = performance.now();
  let last = '';
  const timer = setInterval(
    () => say(`… ${((performance.now() - begin) / 1000).toFixed(0)} s  ${last.slice(0, 100)}`.trimEnd()),
    PROGRESS_MS,
  );
  try {
    return await run((line) => {
      if (line.trim() !== '') last = line.trim();
    });
  } finally {
    clearInterval(timer);
  }
}
