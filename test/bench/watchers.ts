/** Many watch streams at once, each followed by the sequence numbers that arrive on it. */
import { deadline, waitFor } from '../support/wait.ts';
import { openRaw, withConnections } from './connection.ts';
import type { Objects } from './objects.ts';
import type { RawConnection } from './raw-connection.ts';
import { COLLECTION, get } from './sample-object.ts';
import { SequenceScanner } from './sequence-scanner.ts';

const OPEN_AT_A_TIME = 50;
const MANY = 1000;
const LET_GO_MS = 60_000;
const ANSWER_MS = 30_000;

export interface Watcher {
  readonly scanner: SequenceScanner;
  readonly connection: RawConnection;
  readonly isOpen: () => boolean;
}

export interface OpenWatchersOptions {
  /** Of each event, with the time at which its last byte had come. */
  readonly delivered: (sequence: number, now: number) => void;
  /** What a watcher asks for besides; default: the whole collection. */
  readonly query?: (index: number) => string;
}

export interface Watchers {
  readonly all: readonly Watcher[];
  /**
   * Resolves when the server has let go of them too, if there were many: what it does for that is no other row's cost.
   */
  readonly close: () => Promise<void>;
}

/** They start at the present resourceVersion, and are all open when this resolves; when it rejects, none is. */
export async function openWatchers(
  objects: Objects,
  count: number,
  { delivered, query = () => '' }: OpenWatchersOptions,
): Promise<Watchers> {
  const { target } = objects;
  const had = longRunning(await target.metrics());
  const resourceVersion = await currentVersion(objects);
  const open: Watcher[] = [];
  try {
    while (open.length < count) {
      const batch = Array.from({ length: Math.min(OPEN_AT_A_TIME, count - open.length) }, (_, index) =>
        openWatcher(objects, `resourceVersion=${resourceVersion}${query(open.length + index)}`, delivered),
      );
      const settled = await Promise.allSettled(batch);
      open.push(...settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
      const failed = settled.find((each) => each.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
  } catch (error) {
    destroy(open);
    throw error;
  }
  return {
    all: open,
    close: async () => {
      destroy(open);
      if (open.length < MANY) return;
      await waitFor(async () => longRunning(await target.metrics()) <= had, {
        what: 'the server to let go of its watchers',
        timeoutMs: LET_GO_MS,
        everyMs: 100,
      });
    },
  };
}

function destroy(watchers: readonly Watcher[]): void {
  for (const { connection } of watchers) connection.destroy();
}

/** Requests that stay open, at the server's last look at its metrics; 0 when it does not tell. */
function longRunning(metrics: string): number {
  return [...metrics.matchAll(/^apiserver_longrunning_requests\{[^}]*\} (\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function currentVersion({ target }: Objects): Promise<string> {
  const [reply] = await withConnections(target.address(), 1, (connection) => connection.send(get(`${COLLECTION}?limit=1`), true));
  const version = /"resourceVersion":"(\d+)"/.exec(reply?.body.toString('latin1', 0, 1000) ?? '')?.[1];
  if (version === undefined) throw new Error('a list has no resourceVersion');
  return version;
}

async function openWatcher(objects: Objects, query: string, delivered: OpenWatchersOptions['delivered']): Promise<Watcher> {
  let isOpen = true;
  // One clock reading per piece of a body, not per event.
  let now = 0;
  const scanner = new SequenceScanner((sequence) => delivered(sequence, now));
  let began = (_code: number): void => {};
  const answered = new Promise<number>((resolve) => (began = resolve));
  const connection = await openRaw(
    objects.target.address(),
    {
      head: (code) => began(code),
      body: (bytes, start, end) => {
        now = performance.now();
        scanner.feed(bytes, start, end);
      },
      end: () => (isOpen = false),
    },
    () => {
      isOpen = false;
      began(0);
    },
  );
  connection.write(get(`${COLLECTION}?watch=true&${query}`));
  const code = await deadline(answered, ANSWER_MS, 'the answer to a watch').catch((error: unknown) => {
    connection.destroy();
    throw error;
  });
  if (code === 200) return { scanner, connection, isOpen: () => isOpen };
  connection.destroy();
  throw new Error(`a watch was answered with ${code}`);
}
