/**
 * Parts of the server by themselves, each in a process of its own: the embedded store, the watch cache, what is done
 * with a body that is written, protobuf, configurations, the graph of owners, and who may do what.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { benchAccess } from './access.ts';
import { benchConfig } from './config.ts';
import { benchEmbedded } from './embedded.ts';
import { benchOwners } from './owners.ts';
import { benchProtobuf } from './protobuf.ts';
import type { Report } from './report.ts';
import { benchValidate } from './validate.ts';
import { benchWatchCache } from './watchcache.ts';

export type Part = 'store' | 'cache' | 'validate' | 'protobuf' | 'config' | 'owners' | 'access';
const RUN_MS = 120_000;
/** What a CronJob has besides its 500 bytes of structure in the cache's own bench. */
const PADDING = 2600;
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/Ms$/, 'ms'],
  [/Us$/, 'µs'],
  [/Ns$/, 'ns'],
  [/Mb$/, 'MB'],
  [/PerSecond$/, '/s'],
];

interface MicrobenchmarkRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: number;
}

/** Runs a part's bench in another process and adds its rows. */
export async function runMicrobenchmark(part: Part, objects: number, report: Report): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', import.meta.filename, part, String(objects)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: RUN_MS, maxBuffer: 1 << 20 });
  for (const { name, value, unit, goal } of JSON.parse(stdout) as readonly MicrobenchmarkRow[]) {
    report.add({ target: 'microbenchmark', name: `${part}: ${name}`, value, unit, details: goal === undefined ? {} : { goal } });
  }
}

async function rowsOf(part: string, objects: number): Promise<readonly MicrobenchmarkRow[]> {
  if (part === 'store') return benchEmbedded({ objects });
  if (part === 'validate') return benchValidate();
  if (part === 'config') return benchConfig();
  if (part === 'protobuf') return benchProtobuf();
  if (part === 'owners') return benchOwners();
  if (part === 'access') return benchAccess();
  const figures = await benchWatchCache({ objects, padding: PADDING, watchers: 1000, log: (line) => console.error(line) });
  return Object.entries(figures).map(([name, value]: [string, number]) => {
    const found = UNITS.find(([ending]) => ending.test(name));
    const words = name.replace(found?.[0] ?? /$^/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return { name: words, value, unit: found?.[1] ?? '' };
  });
}

if (import.meta.main) console.log(JSON.stringify(await rowsOf(process.argv[2] ?? '', Number(process.argv[3]))));
