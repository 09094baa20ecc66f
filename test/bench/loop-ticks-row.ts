/** The longest tick of the server's event loop while everything is listed and watched at the same time. */
import { Connection, withConnections } from './connection.ts';
import { GZIP } from './list-rows.ts';
import type { Objects } from './objects.ts';
import type { Report } from './report.ts';
import { COLLECTION, bodyOf, get, pathOf, withBody } from './sample-object.ts';
import { ticksBetween } from './loop-ticks.ts';
import { openWatchers } from './watchers.ts';

/** The server renders its metrics anew when they are older than a second. */
const METRICS_AGE_MS = 1100;
/** One connection each. */
const READS = [get(COLLECTION), get(COLLECTION, GZIP), get(`${COLLECTION}?limit=500`), get(`${COLLECTION}?labelSelector=shard%3Ds7`)];
const WRITTEN = 0;

/**
 * `watchers` see the whole collection, one writer changes an object of it without a pause, and four readers list it:
 * plain, gzip, pages, a selector.
 */
export async function loopTicksRow(objects: Objects, report: Report, seconds: number, watchers: number): Promise<void> {
  const { target, bulkBytes } = objects;
  let delivered = 0;
  const opened = await openWatchers(objects, watchers, { delivered: () => delivered++ });
  const writer = await Connection.open(target.address());
  try {
    const before = await freshMetrics(objects);
    const end = performance.now() + seconds * 1000;
    let lists = 0;
    const listing = withConnections(target.address(), READS.length, async (connection, index) => {
      do {
        const { code } = await connection.send(READS[index] ?? '');
        if (code !== 200) throw new Error(`a list of the ticks row: ${code}`);
        lists++;
      } while (performance.now() < end);
    });
    const writing = (async () => {
      for (let sequence = 1; performance.now() < end; sequence++) {
        const { code } = await writer.send(withBody('PUT', pathOf(WRITTEN), bodyOf(WRITTEN, bulkBytes, sequence)));
        if (code !== 200) throw new Error(`a write of the ticks row: ${code}`);
      }
    })();
    await Promise.all([listing, writing]);
    const ticks = ticksBetween(before, await freshMetrics(objects));
    if (ticks === undefined) return;
    report.add({
      target: target.name,
      name: `longest tick, lists of ${objects.label} beside ${watchers.toLocaleString('en-US')} watchers`,
      value: ticks.longestMs,
      unit: 'ms',
      details: { ticks: ticks.count, lists, deliveries: delivered },
    });
  } finally {
    writer.close();
    await opened.close();
  }
}

async function freshMetrics({ target }: Objects): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, METRICS_AGE_MS));
  return target.metrics();
}
