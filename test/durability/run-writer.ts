/** Starts `writer-program.ts`, and collects what it says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { WriterOptions } from './writer-program.ts';

const PROGRAM = fileURLToPath(new URL('writer-program.ts', import.meta.url));
const PATIENCE_MS = 20_000;

export interface Acknowledgement {
  readonly revision: number;
  readonly key: string;
  /** -1: deleted. */
  readonly length: number;
  readonly seed: number;
}

export interface Writer {
  readonly lines: readonly string[];
  readonly acknowledged: readonly Acknowledgement[];
  /** The rest of the first line that starts with `word`. */
  line(word: string): string | undefined;
  /** Resolves when `done` holds; rejects when the program ends or time runs out before. */
  until(done: (writer: Writer) => boolean): Promise<void>;
  /** kill -9, and waits until nothing more can come out of the pipe. */
  kill(): Promise<void>;
  /** Waits for the end by itself. */
  ended(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

/** `under`: a command that runs the program, such as strace and its options. */
export function runWriter(options: WriterOptions, under: readonly string[] = []): Writer {
  const command = [...under, process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM, JSON.stringify(options)];
  const child = spawn(command[0] ?? process.execPath, command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  // The group: strace that is killed leaves behind what it traced.
  const killAll = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const lines: string[] = [];
  const acknowledged: Acknowledgement[] = [];
  const waiting = new Set<() => void>();
  let stderr = '';
  let closed: { readonly code: number | null } | undefined;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    if (line.startsWith('ack ')) {
      const [, revision = '', key = '', length = '', seed = ''] = line.split(' ');
      acknowledged.push({ revision: Number(revision), key, length: Number(length), seed: Number(seed) });
    }
    for (const check of [...waiting]) check();
  });
  const finished = Promise.all([once(child, 'close'), once(reader, 'close')]).then(() => {
    closed = { code: child.exitCode };
    for (const check of [...waiting]) check();
    return closed;
  });
  const writer: Writer = {
    lines,
    acknowledged,
    line: (word) => lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1),
    until: async (done) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`${why}\n${lines.slice(-3).join('\n')}\n${stderr}`));
        const timer = setTimeout(() => fail('the writer did not get there'), PATIENCE_MS);
        const check = () => {
          const arrived = done(writer);
          if (!arrived && closed === undefined) return;
          clearTimeout(timer);
          waiting.delete(check);
          if (arrived) resolve();
          else fail('the writer ended early');
        };
        waiting.add(check);
        check();
      }),
    kill: async () => {
      killAll();
      await finished;
    },
    ended: async () => {
      const timer = setTimeout(killAll, PATIENCE_MS);
      const { code } = await finished;
      clearTimeout(timer);
      return { code, stderr };
    },
  };
  return writer;
}

/** A folder for the time of `work`. */
export async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'coxswain-durability-'));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
