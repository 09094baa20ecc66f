/** Many watch streams at once, each followed by the sequence numbers that arrive on it. */
import { openRaw, withConnections } from './connection.ts';
import type { Objects } from './objects.ts';
import type { RawConnection } from './raw-connection.ts';
import { COLLECTION, get } from './sample-object.ts';
import { SequenceScanner } from './sequence-scanner.ts';

const OPEN_AT_A_TIME = 50;

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

/** They start at the present resourceVersion, and are all open when this resolves; when it rejects, none is. */
export async function openWatchers(
  objects: Objects,
  count: number,
  { delivered, query = () => '' }: OpenWatchersOptions,
): Promise<readonly Watcher[]> {
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
    return open;
  } catch (error) {
    closeWatchers(open);
    throw error;
  }
}

export function closeWatchers(watchers: readonly Watcher[]): void {
  for (const { connection } of watchers) connection.destroy();
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
  const code = await answered;
  if (code === 200) return { scanner, connection, isOpen: () => isOpen };
  connection.destroy();
  throw new Error(`a watch was answered with ${code}`);
}
