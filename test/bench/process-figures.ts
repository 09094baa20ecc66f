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

export interface Memory {
  readonly residentMb: number;
  /** Without mapped files: what LMDB maps is page cache, not ours. */
  readonly anonymousMb: number;
  /** `nodejs_external_memory_bytes`: live Buffers, and those the collector has not freed yet. The least of a few readings. */
  readonly buffersMb?: number;
  readonly heapMb?: number;
}

const READINGS = 5;
const READING_EVERY_MS = 200;

export async function memory(pid: number, metrics: () => Promise<string>): Promise<Memory | undefined> {
  let buffers = Infinity;
  let heap = Infinity;
  for (let reading = 0; reading < READINGS; reading++) {
    await new Promise((resolve) => setTimeout(resolve, READING_EVERY_MS));
    const text = await metrics();
    buffers = Math.min(buffers, metric(text, 'nodejs_external_memory_bytes') ?? Infinity);
    heap = Math.min(heap, metric(text, 'nodejs_heap_size_used_bytes') ?? Infinity);
  }
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
    const mb = (bytes: number) => bytes / 1024 / 1024;
    return {
      residentMb: megabytes('VmRSS'),
      anonymousMb: megabytes('RssAnon'),
      ...(Number.isFinite(buffers) ? { buffersMb: mb(buffers) } : {}),
      ...(Number.isFinite(heap) ? { heapMb: mb(heap) } : {}),
    };
  } catch {
    return undefined;
  }
}

/** The value of a series without labels, or with any. */
export function metric(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.eE+-]+)`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The longest turn of the event loop so far, in ms, when the server tells. */
export function longestTurnMs(text: string): number | undefined {
  const seconds = metric(text, 'coxswain_event_loop_longest_turn_seconds') ?? metric(text, 'nodejs_eventloop_lag_max_seconds');
  return seconds === undefined ? undefined : seconds * 1000;
}
