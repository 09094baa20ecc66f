/** Runs one kind of request on some connections for a while, and counts. */
import { withConnections, type Connection } from './connection.ts';
import { Histogram } from './histogram.ts';
import { serverCpuMs, type Target } from './target.ts';

export interface LoadOptions {
  readonly target: Target;
  readonly clients: number;
  readonly seconds: number;
  /**
   * One unit of work; false when the server refused it. At least one runs per connection, and none begins after the
   * time is over.
   */
  readonly work: (connection: Connection, client: number) => Promise<boolean>;
  readonly enough?: () => boolean;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly done: number;
  readonly details: Readonly<Record<string, number>>;
}

export async function generateLoad({ target, clients, seconds, work, enough = () => false }: LoadOptions): Promise<LoadResult> {
  const latency = new Histogram();
  let failed = 0;
  const cpuBefore = serverCpuMs(target);
  const begin = performance.now();
  const end = begin + seconds * 1000;
  await withConnections(target.address(), clients, async (connection, client) => {
    let now = performance.now();
    do {
      const fine = await work(connection, client);
      const after = performance.now();
      if (fine) latency.record(after - now);
      else failed++;
      now = after;
    } while (now < end && !enough());
  });
  const elapsed = (performance.now() - begin) / 1000;
  const cpuAfter = serverCpuMs(target);
  const done = latency.count;
  return {
    perSecond: done / elapsed,
    done,
    details: {
      p50: latency.quantile(0.5),
      p99: latency.quantile(0.99),
      ...(cpuBefore === undefined || cpuAfter === undefined || done === 0 ? {} : { cpu: (cpuAfter - cpuBefore) / done }),
      ...(failed === 0 ? {} : { failed }),
    },
  };
}
