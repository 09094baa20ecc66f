/**
 * `make bench`: starts servers and etcd on loopback, loads them, and prints what they did. This process is the load generator; each
 * server is a process of its own. Figures of one run can be compared with each other, not with those of another machine or another hour.
 */
import { writeFile } from 'node:fs/promises';
import { arch, cpus, platform, totalmem } from 'node:os';
import { alone } from './alone.ts';
import { measure } from './measure.ts';
import { USAGE, parseOptions, type BenchOptions } from './options.ts';
import { createReport, table } from './report.ts';
import { OBJECT_BYTES } from './sample-object.ts';
import { ownTarget, urlTarget, type Target } from './target.ts';

async function bench(options: BenchOptions): Promise<void> {
  const begin = performance.now();
  const report = createReport((text) => console.error(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${text}`));
  const openers: (() => Promise<Target>)[] = [
    ...options.backends.map((backend) => () => ownTarget(backend)),
    ...options.urls.map(
      ({ name, baseUrl }) =>
        async () =>
          urlTarget(name, baseUrl),
    ),
  ];
  /** What fails is told at the end, and costs no other rows. */
  const attempt = async (what: string, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      report.note(`${what} failed: ${explain(error)}`);
      process.exitCode = 1;
    }
  };
  for (const part of ['store', 'cache', 'validate', 'protobuf'] as const) {
    if (options.backends.length > 0 && options.rows.has(part)) await attempt(part, () => alone(part, options.sizes.at(-1) ?? 0, report));
  }
  for (const [index, open] of openers.entries()) {
    const now = performance.now();
    const share = (options.budget - (now - begin) / 1000) / (openers.length - index);
    await attempt('a target', async () => {
      const target = await open();
      try {
        await measure(target, { options, report, secondsLeft: () => share - (performance.now() - now) / 1000 });
      } finally {
        await target.close();
      }
    });
  }
  const machine = {
    node: process.version,
    platform: `${platform()} ${arch()}`,
    cpus: cpus().length,
    cpu: cpus()[0]?.model ?? '',
    memoryGb: totalmem() / 1024 ** 3,
  };
  console.log(table(report.rows, options.urls[0]?.name));
  console.log(
    `\nobjects of ${OBJECT_BYTES} bytes as served; times in ms; cpu: ms of the server's CPU time for each; mb: megabytes on the wire`,
  );
  console.log(`${machine.cpus} × ${machine.cpu}, ${machine.platform}, Node ${machine.node}; client, server and store share the machine`);
  for (const note of report.notes) console.log(`note: ${note}`);
  if (options.json !== undefined) {
    const everything = { at: new Date().toISOString(), machine, objectBytes: OBJECT_BYTES, notes: report.notes, rows: report.rows };
    await writeFile(options.json, `${JSON.stringify(everything, undefined, 2)}\n`);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env['DEBUG'] === undefined ? error.message : (error.stack ?? error.message);
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) console.log(USAGE);
  else await bench(options);
} catch (error) {
  console.error(`bench: ${explain(error)}`);
  process.exitCode = 1;
}
