/**
 * `make bench`: starts servers and etcd on loopback, loads them, and prints what they did. This process is the load
 * generator; each server is a process of its own. Figures of one run can be compared with each other, not with those of
 * another machine or another hour.
 */
import { statfsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, tmpdir, totalmem } from 'node:os';
import { buildReference, referenceVersion } from '../support/reference.ts';
import { runMicrobenchmark } from './microbenchmarks.ts';
import { BUDGET } from './budget.ts';
import { REFERENCE_BUDGET } from './reference-budget.ts';
import { budgetText, checkGoals } from './check-goals.ts';
import { attempt, explain, measure } from './measure.ts';
import { buildPeer, peerVersion } from './peer.ts';
import { writePerformanceDocs, writeReferenceDocs } from './performance-docs.ts';
import { PEER, REFERENCE, USAGE, parseOptions, type BenchOptions } from './options.ts';
import { createReport, number, table } from './report.ts';
import type { Results } from './results.ts';
import { OBJECT_BYTES } from './sample-object.ts';
import { overHttp2, ownTarget, peerTarget, referenceTarget, urlTarget, type Target } from './target.ts';

async function bench(options: BenchOptions): Promise<void> {
  // Before the clock runs: it may take minutes.
  const program = options.peer ? await buildPeer() : undefined;
  const reference = options.reference ? await buildReference() : undefined;
  const begin = performance.now();
  const [loadBefore = 0] = loadavg();
  const report = createReport((text) => console.error(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${text}`));
  for (const part of ['store', 'cache', 'validate', 'protobuf', 'config', 'owners', 'access'] as const) {
    if (reference !== undefined || options.backends.length === 0 || !options.rows.has(part)) continue;
    await attempt(report, part, () => runMicrobenchmark(part, options.sizes.at(-1) ?? 0, report));
  }
  const openers = [
    ...(reference === undefined ? [] : besideReference(reference)),
    ...options.backends.map((backend) => ({ name: backend, open: () => ownTarget(backend) })),
    ...(program === undefined ? [] : [{ name: PEER, open: () => peerTarget(program) }]),
    ...options.urls.map(({ name, baseUrl }) => ({ name, open: async () => urlTarget(name, baseUrl) })),
  ];
  const targets: Target[] = [];
  try {
    for (const { name, open } of openers) {
      await attempt(report, `start of ${name}`, async () => {
        targets.push(await open());
      });
    }
    await measure(targets, { options, report, secondsLeft: () => options.budget - (performance.now() - begin) / 1000 });
  } finally {
    for (const target of targets) await attempt(report, `end of ${target.name}`, () => target.close());
  }
  const etcd = targets.find(({ own }) => own?.etcd !== undefined)?.own?.etcd?.version;
  const [loadAfter = 0] = loadavg();
  const results: Results = {
    at: new Date().toISOString(),
    machine: {
      node: process.version,
      platform: `${platform()} ${arch()}`,
      cpus: cpus().length,
      cpu: cpus()[0]?.model ?? '',
      memoryGb: totalmem() / 1024 ** 3,
      ...(etcd === undefined ? {} : { etcd }),
      ...(targets.some(({ name }) => name === PEER) && options.peer ? { peer: peerVersion() } : {}),
      ...(reference === undefined ? {} : { reference: referenceVersion() }),
      data: dataOn(tmpdir()),
      loadBefore,
      loadAfter,
    },
    objectBytes: OBJECT_BYTES,
    asked: {
      rows: [...options.rows],
      sizes: options.sizes,
      watchers: options.watchers,
      idle: options.idle,
      seconds: options.seconds,
      rounds: options.rounds,
      targets: [
        ...(reference === undefined ? [] : ['etcd', 'etcd3', REFERENCE]),
        ...options.backends,
        ...(options.peer ? [PEER] : []),
        ...options.urls.map(({ name }) => name),
        ...(options.backends.length > 0 ? ['microbenchmark'] : []),
      ],
    },
    notes: report.notes,
    rows: report.rows,
  };
  print(results, options);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, undefined, 2)}\n`);
  if (options.docs) await (options.reference ? writeReferenceDocs(results) : writePerformanceDocs(results));
  if (report.hasFailed) process.exitCode = 1;
}

/** All on etcd, over HTTPS and HTTP/2, with a bearer token. */
const besideReference = (program: string) => [
  ...(['etcd', 'etcd3'] as const).map((name) => ({ name, open: async () => overHttp2(await ownTarget(name, { by: 'token' })) })),
  { name: REFERENCE, open: async () => overHttp2(await referenceTarget(program)) },
];

/** Magic number of a file system in memory (`statfs(2)`). */
const TMPFS = 0x01021994;

const dataOn = (folder: string): 'disk' | 'memory' => (statfsSync(folder).type === TMPFS ? 'memory' : 'disk');

function print(results: Results, { peer, reference, urls }: BenchOptions): void {
  const { machine, notes, rows } = results;
  console.log(table(rows, reference ? REFERENCE : peer ? PEER : urls[0]?.name));
  console.log(
    `\nobjects of ${OBJECT_BYTES} bytes as served; times in ms; cpu: ms of the server's CPU time for each; mb: megabytes on the wire`,
  );
  const verdicts = reference ? checkGoals(REFERENCE_BUDGET, results, REFERENCE) : checkGoals(BUDGET, results);
  if (verdicts.length > 0) console.log(`\nThe budget\n\n${budgetText(verdicts, results)}`);
  console.log(
    `\n${machine.cpus} × ${machine.cpu}, ${machine.platform}, Node ${machine.node}, load ${number(machine.loadBefore)} before and ` +
      `${number(machine.loadAfter)} after; client, server and store share the machine; data on ${machine.data}`,
  );
  for (const note of notes) console.log(`note: ${note}`);
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) console.log(USAGE);
  else await bench(options);
} catch (error) {
  console.error(`bench: ${explain(error)}`);
  process.exitCode = 1;
}
