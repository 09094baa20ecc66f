/**
 * All rows of one target, in an order that needs one store: the collection grows from size to size, lists are measured at each; the rows on
 * single objects run once, at 10,000 objects or the next size below.
 */
import { etcdClientRows } from './etcd-client-rows.ts';
import { fanOutRow } from './fan-out-row.ts';
import { idleRow } from './idle-row.ts';
import { listRows, wholeListRow } from './list-rows.ts';
import { churn, holdUpRow, memoryRow } from './memory-rows.ts';
import { createObjects, prepareObjects, type Objects } from './objects.ts';
import { RATES_AT, type BenchOptions, type RowName } from './options.ts';
import { plainRows } from './plain-rows.ts';
import { protobufRows } from './protobuf-rows.ts';
import { createRows, getPutRow, getRows, patchRows } from './rate-rows.ts';
import type { Report } from './report.ts';
import { secureTargets, type OwnServer, type Target } from './target.ts';
import { turnsRow } from './turns-row.ts';

/** Loading is no row of its own: as many as make it short. */
const LOAD_CLIENTS = 64;
const CHURN_SECONDS = 30;

interface Measuring {
  readonly options: BenchOptions;
  readonly report: Report;
  /** Seconds that this target may still take. */
  readonly secondsLeft: () => number;
}

export async function measure(target: Target, { options, report, secondsLeft }: Measuring): Promise<void> {
  const wanted = (row: RowName) => options.rows.has(row);
  /** Runs a group of rows if it is wanted and there is time. What fails costs no other group. */
  const group = async (row: RowName, run: () => Promise<void>): Promise<void> => {
    if (!wanted(row)) return;
    if (secondsLeft() <= 0) {
      report.note(`${target.name}: ${row} left out, the time is over`);
      return;
    }
    try {
      await run();
    } catch (error) {
      report.failure(`${target.name}: ${row} failed: ${explain(error)}`);
    }
  };
  const started = (own: OwnServer, label: string) => {
    const { readyAfterMs, cpuMs } = own.startUp();
    report.add({ target: target.name, name: `start-up with ${label}`, value: readyAfterMs, unit: 'ms', details: { cpu: cpuMs } });
  };

  if (target.own !== undefined && wanted('start')) started(target.own, '0');
  const objects = await prepareObjects(target);
  const ratesAt = Math.max(...options.sizes.filter((size) => size <= RATES_AT), options.sizes[0] ?? 0);

  for (const size of options.sizes) {
    // What thousands of watchers have left behind is not what objects cost.
    if (size > ratesAt && wanted('memory')) await group('memory', async () => target.own?.restart());
    if (!(await load(objects, size, report, secondsLeft()))) break;
    await group('memory', () => memoryRow(objects, report, 'after loading'));
    await group('list', async () => {
      await holdUpRow(objects, report);
      await listRows(objects, report, options.seconds);
      await holdUpRow(objects, report, `lists of ${objects.label}`);
    });
    await group('start', async () => {
      if (target.own === undefined || size < RATES_AT) return;
      await target.own.restart();
      started(target.own, objects.label);
    });
    await group('memory', async () => {
      if (size >= RATES_AT) await churn(objects, report, Math.max(1, Math.min(CHURN_SECONDS, secondsLeft() / 2)));
    });
    if (size === ratesAt) await rates(objects, { options, report, secondsLeft }, group);
    if (size === options.sizes.at(-1)) {
      await group('turns', () => turnsRow(objects, report, options.seconds * 2, options.watchers.at(-1) ?? 0));
    }
  }
}

/** In one line; with its stack when `DEBUG` is set. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env['DEBUG'] === undefined ? error.message : (error.stack ?? error.message);
}

async function rates(
  objects: Objects,
  { options, report }: Measuring,
  group: (row: RowName, run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const etcd = objects.target.own?.etcd;
  await group('yardstick', () => plainRows(objects, report, options.seconds));
  if (etcd !== undefined) await group('yardstick', () => etcdClientRows(objects, report, options.seconds, etcd.endpoint));
  await group('get', () => getRows(objects, report, options.seconds));
  await group('protobuf', () => protobufRows(objects, report, options.seconds));
  await group('get-put', () => getPutRow(objects, report, options.seconds));
  await group('patch', () => patchRows(objects, report, options.seconds));
  for (const watchers of options.watchers) {
    await group('fan-out', async () => {
      await holdUpRow(objects, report);
      await fanOutRow(objects, report, options.seconds * 2, watchers);
      await holdUpRow(objects, report, `fan-out to ${watchers.toLocaleString('en-US')}`);
    });
  }
  await group('https', () => secureRows(objects, options, report));
  for (const idle of options.idle) await group('idle', () => idleRow(objects, report, options.seconds, idle));
  await group('create', () => createRows(objects, report, options.seconds));
}

/** What most clients use: TLS with a client certificate, HTTP/1.1 and HTTP/2, beside the plain rows above. */
async function secureRows(objects: Objects, { seconds, watchers }: BenchOptions, report: Report): Promise<void> {
  for (const target of secureTargets(objects.target)) {
    const over = { ...objects, target, over: target.over };
    try {
      await getRows(over, report, seconds);
      await wholeListRow(over, report, seconds);
      for (const count of watchers) await fanOutRow(over, report, seconds * 2, count);
    } finally {
      await target.close();
    }
  }
}

/** False when nothing could be loaded at all. */
async function load(objects: Objects, size: number, report: Report, secondsLeft: number): Promise<boolean> {
  const { target } = objects;
  objects.label = size.toLocaleString('en-US');
  if (objects.count >= size) return true;
  if (secondsLeft <= 0) {
    report.note(`${target.name}: ${size} objects left out, the time is over`);
    return false;
  }
  // Half of what is left goes into loading at most: rows on fewer objects say more than none.
  const { perSecond, details } = await createObjects(objects, LOAD_CLIENTS, secondsLeft / 2, size);
  report.add({
    target: target.name,
    name: `load up to ${size.toLocaleString('en-US')}, ${LOAD_CLIENTS} clients`,
    value: perSecond,
    unit: '/s',
    details,
  });
  if (objects.count >= size) return true;
  objects.label = objects.count.toLocaleString('en-US');
  report.note(`${target.name}: ${objects.count} objects instead of ${size}, for lack of time`);
  return true;
}
