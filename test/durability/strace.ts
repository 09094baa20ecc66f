/** Runs the writer under strace, and reads what it did to the file. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findOrInstall } from '../support/programs.ts';

/** Throws when strace is not there or may not trace: durability that nobody has seen is not shown. */
export async function requireStrace(): Promise<void> {
  const { path, why } = await findOrInstall('strace', 'strace');
  if (path === undefined) throw new Error(`The durability tests need strace: ${why}`);
  const tried = spawnSync(path, ['-f', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (tried.status !== 0) throw new Error(`The durability tests need the right to trace: ${tried.error?.message ?? tried.stderr.trim()}`);
}

export const CALLS_OF_INTEREST = 'openat,write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync';

export interface SystemCall {
  readonly name: string;
  readonly fd: number;
  /** Everything between the parentheses. */
  readonly args: string;
  readonly result: number;
}

/**
 * The calls in the order in which they ended. strace splits an interrupted call in two lines; they are joined. A sync
 * counts from its end. Acknowledgements come from the main thread and are one short write, so for them the difference
 * does not matter.
 */
export function readTrace(file: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, string>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const started = /^(.*) <unfinished \.\.\.>$/.exec(rest);
    if (started !== null) {
      unfinished.set(pid, started[1] ?? '');
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const whole = resumed === null ? rest : (unfinished.get(pid) ?? '') + (resumed[1] ?? '');
    const [, name, args = '', result] = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(whole) ?? [];
    if (name !== undefined) calls.push({ name, fd: Number.parseInt(args, 10), args, result: Number(result) });
  }
  return calls;
}

export interface Verdict {
  readonly acknowledged: number;
  /** How often a reader, a watcher or a loser saw something for the first time. */
  readonly sightings: number;
  /** Acknowledgements and sightings that came before what they tell was synced. */
  readonly tooEarly: readonly string[];
  /** Writes of pages between the first acknowledgement and the last: zero means that the trace shows nothing. */
  readonly pageWrites: number;
}

/**
 * Every acknowledgement and every sighting must follow a sync that came after the last page write. A write through a
 * handle that was opened with O_DSYNC is its own sync, but of those bytes only.
 */
export function judge(calls: readonly SystemCall[]): Verdict {
  const plain = new Set<number>();
  const tooEarly: string[] = [];
  let dirty = false;
  let acknowledged = 0;
  let sightings = 0;
  let pageWrites = 0;
  for (const { name, fd, args, result } of calls) {
    if (name === 'openat' && result >= 0) {
      plain.delete(result);
      if (/store\.mdb"/.test(args) && /O_RDWR|O_WRONLY/.test(args)) {
        if (!/O_DSYNC|O_SYNC/.test(args)) plain.add(result);
      }
    } else if (/^(pwrite64|pwritev2?|writev|write)$/.test(name) && plain.has(fd)) {
      dirty = true;
      pageWrites += 1;
    } else if (/^(fsync|fdatasync)$/.test(name) && plain.has(fd) && result === 0) {
      dirty = false;
    } else if (name === 'write' && /^1, "(ack|see) /.test(args)) {
      if (args.startsWith('1, "ack ')) acknowledged += 1;
      else sightings += 1;
      if (dirty) tooEarly.push(args);
    }
  }
  return { acknowledged, sightings, tooEarly, pageWrites };
}
