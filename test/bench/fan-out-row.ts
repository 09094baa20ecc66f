/** One writer flat out, many watchers: how much arrives, how late, and whether anything is lost or doubled. */
import { Connection } from './connection.ts';
import { Histogram } from './histogram.ts';
import type { Objects } from './objects.ts';
import type { Report } from './report.ts';
import { bodyOf, pathOf, withBody } from './sample-object.ts';
import type { SequenceScanner } from './sequence-scanner.ts';
import { serverCpuMs } from './target.ts';
import { openWatchers, type Watcher, type Watchers } from './watchers.ts';

const CATCH_UP_TIMEOUT_MS = 10_000;
const WATCHED = 0;

/**
 * Watchers see the whole collection and start at its present resourceVersion. Latency is from the moment the write is
 * *sent* until the event has arrived at the watcher's socket. `lost` counts what a watcher has not seen ten seconds
 * after the last write, also because its stream was closed.
 */
export async function fanOutRow(objects: Objects, report: Report, seconds: number, watchers: number): Promise<void> {
  const { target, bulkBytes } = objects;
  const writer = await Connection.open(target.address());
  const latency = new Histogram();
  const sentAt: number[] = [0];
  let opened: Watchers | undefined;
  try {
    opened = await openWatchers(objects, watchers, {
      delivered: (sequence, now) => latency.record(now - (sentAt[sequence] ?? now)),
    });
    const open = opened.all;
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
    await allCaughtUp(open, sequence, written + CATCH_UP_TIMEOUT_MS);
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
      at: { series: `fan-out${objects.over}`, over: 'watchers', x: watchers },
    });
  } finally {
    writer.close();
    await opened?.close();
  }
}

async function allCaughtUp(watchers: readonly Watcher[], sequence: number, until: number): Promise<void> {
  while (watchers.some((watcher) => watcher.isOpen() && watcher.scanner.last < sequence) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
