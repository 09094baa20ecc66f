/** Profiles of this process, in the formats of V8, which the developer tools of browsers open. */
import type { Session } from 'node:inspector/promises';
import { getHeapSnapshot } from 'node:v8';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';

export interface ProfileOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly ms: number;
  /** Ends the profile early. */
  readonly signal: AbortSignal;
}

/** Where processor time goes (`.cpuprofile`). */
export const takeCpuProfile = ({ clock, ms, signal }: ProfileOptions): Promise<string> =>
  withSession(async (session) => {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await clock.sleep(ms, signal);
    return (await session.post('Profiler.stop')).profile;
  });

/** What allocates memory that is still in use at the end (`.heapprofile`). It has no contents. */
export const takeAllocationProfile = ({ clock, ms, signal }: ProfileOptions): Promise<string> =>
  withSession(async (session) => {
    await session.post('HeapProfiler.startSampling');
    await clock.sleep(ms, signal);
    return (await session.post('HeapProfiler.stopSampling')).profile;
  });

/** Everything in the heap, with its contents (`.heapsnapshot`). Nothing else runs until it is taken. */
export async function writeHeapSnapshot(writer: ResponseWriter): Promise<void> {
  const isClosed = () => writer.closed; // it may close while a chunk is awaited
  if (isClosed()) return;
  for await (const chunk of getHeapSnapshot()) {
    if (isClosed()) return;
    if (chunk instanceof Uint8Array && !writer.write(chunk)) await writer.drained();
  }
}

async function withSession(take: (session: Session) => Promise<unknown>): Promise<string> {
  const inspector = await import('node:inspector/promises');
  const session = new inspector.Session();
  session.connect();
  try {
    return JSON.stringify(await take(session));
  } finally {
    session.disconnect();
  }
}
