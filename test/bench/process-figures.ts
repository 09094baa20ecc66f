/** What the kernel and `/metrics` say about a process. Linux only; undefined elsewhere. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** User and system time of all its threads so far. */
export function cpuMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

export interface Resident {
  readonly residentMb: number;
  /** Without mapped files: what LMDB maps is page cache, not ours. */
  readonly anonymousMb: number;
}

export function resident(pid: number): Resident | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
    return { residentMb: megabytes('VmRSS'), anonymousMb: megabytes('RssAnon') };
  } catch {
    return undefined;
  }
}

/** The value of a series without labels, or with any. */
export function metric(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.eE+-]+)`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/**
 * How long the event loop was held up at most since the last reading, in ms, when the server tells: wall time, so on a
 * busy machine also the time in which the process did not get a processor.
 */
export function longestHoldUpMs(text: string): number | undefined {
  const seconds = metric(text, 'nodejs_eventloop_lag_max_seconds');
  return seconds === undefined ? undefined : seconds * 1000;
}
