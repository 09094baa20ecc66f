/** One writer flat out, many watchers: how much arrives, how late, and whether anything is lost or doubled. */
import { Connection, openRaw } from './connection.ts';
import { Histogram } from './histogram.ts';
import type { Objects } from './objects.ts';
import type { RawConnection } from './raw-connection.ts';
import type { Report } from './report.ts';
import { COLLECTION, bodyOf, get, pathOf, withBody } from './sample-object.ts';
import { SequenceScanner } from './sequence-scanner.ts';
import { serverCpuMs } from './target.ts';

const OPEN_AT_A_TIME = 50;
const CATCH_UP_MS = 10_000;
const WATCHED = 0;

interface Watcher {
  readonly scanner: SequenceScanner;
  readonly connection: RawConnection;
  readonly isOpen: () => boolean;
}

/**
 * Watchers see the whole collection and start at its present resourceVersion. Latency is from the moment the write is *sent* until the event has arrived
 * at the watcher's socket. `lost` counts what a watcher has not seen ten seconds after the last write, also because its stream was closed.
 */
export async function fanOutRow(objects: Objects, report: Report, seconds: number, watchers: number): Promise<void> {
  const { target, bulkBytes } = objects;
  const writer = await Connection.open(target.address());
  const resourceVersion = await currentVersion(writer);
  const latency = new Histogram();
  const sentAt: number[] = [0];
  const open: Watcher[] = [];
  try {
    while (open.length < watchers) {
      const batch = Array.from({ length: Math.min(OPEN_AT_A_TIME, watchers - open.length) }, () =>
        openWatcher(objects, resourceVersion, (sequence, now) => latency.record(now - (sentAt[sequence] ?? now))),
      );
      open.push(...(await Promise.all(batch)));
    }
    const cpuBefore = serverCpuMs(target);
    const begin = performance.now();
    const end = begin + seconds * 1000;
    let sequence = 0;
    while (performance.now() < end) {
      sequence++;
      sentAt[sequence] = performance.now();
      const reply = await writer.send(withBody('PUT', pathOf(WATCHED), bodyOf(WATCHED, bulkBytes, sequence)), true);
      if (reply.code !== 200) throw new Error(`a write of the fan-out row: ${reply.code} ${reply.body.toString('utf8', 0, 300)}`);
    }
    const written = performance.now();
    await allCaughtUp(open, sequence, written + CATCH_UP_MS);
    const elapsed = (performance.now() - begin) / 1000;
    const cpuAfter = serverCpuMs(target);
    const sum = (of: (scanner: SequenceScanner) => number) => open.reduce((total, { scanner }) => total + of(scanner), 0);
    const delivered = sum((scanner) => scanner.delivered);
    report.add({
      target: target.name,
      name: `watch fan-out, ${watchers.toLocaleString('en-US')} watchers${objects.over}`,
      value: delivered / elapsed,
      unit: 'deliveries/s',
      details: {
        p50: latency.quantile(0.5),
        p99: latency.quantile(0.99),
        writes: (sequence * 1000) / (written - begin),
        lost: sum((scanner) => scanner.lost + sequence - scanner.last),
        doubled: sum((scanner) => scanner.doubled),
        closed: open.filter((watcher) => !watcher.isOpen()).length,
        ...(cpuBefore === undefined || cpuAfter === undefined ? {} : { cpu: (cpuAfter - cpuBefore) / delivered }),
      },
    });
  } finally {
    writer.close();
    for (const watcher of open) watcher.connection.destroy();
  }
}

async function currentVersion(connection: Connection): Promise<string> {
  const { body } = await connection.send(get(`${COLLECTION}?limit=1`), true);
  const version = /"resourceVersion":"(\d+)"/.exec(body.toString('latin1', 0, 1000))?.[1];
  if (version === undefined) throw new Error('a list has no resourceVersion');
  return version;
}

async function openWatcher(
  objects: Objects,
  resourceVersion: string,
  delivered: (sequence: number, now: number) => void,
): Promise<Watcher> {
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
  connection.write(get(`${COLLECTION}?watch=true&resourceVersion=${resourceVersion}`));
  const code = await answered;
  if (code !== 200) throw new Error(`a watch was answered with ${code}`);
  return { scanner, connection, isOpen: () => isOpen };
}

async function allCaughtUp(watchers: readonly Watcher[], sequence: number, until: number): Promise<void> {
  while (watchers.some((watcher) => watcher.isOpen() && watcher.scanner.last < sequence) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
