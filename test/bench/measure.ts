/**
 * All steps, in an order that needs one store for each target: the collection grows from size to size, lists are measured at each; the rows on
 * single objects run once, at 10,000 objects or the next size below. The targets take turns at every step, so that what else the machine
 * does concerns all of them.
 */
import { PEER, isYardstick } from './budget.ts';
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
import { secureTargets, type Target } from './target.ts';
import { turnsRow } from './turns-row.ts';

/** Loading is no row of its own: as many as make it short. */
const LOAD_CLIENTS = 64;
const CHURN_SECONDS = 30;

/** One step of one target. */
interface Work {
  readonly objects: Objects;
  readonly report: Report;
  /** Of each row. */
  readonly seconds: number;
  /** That this step may take at most. */
  readonly secondsLeft: number;
}

interface Step {
  /** Absent: it is always taken, and a target that fails at it is measured no further. */
  readonly part?: RowName;
  /** Taken again and again, and the result in the middle counts. */
  readonly isRepeated?: boolean;
  /** How many there are at this step. */
  readonly objects: number;
  readonly watchers?: number;
  /** No goal compares it with the peer. */
  readonly isOurs?: boolean;
  readonly run: (work: Work) => Promise<void>;
}

/** What every target goes through. */
function stepsOf({ sizes, watchers, idle }: BenchOptions): readonly Step[] {
  const ratesAt = Math.max(...sizes.filter((size) => size <= RATES_AT), sizes[0] ?? 0);
  return [
    { part: 'start', objects: 0, run: async (work) => started(work) },
    ...sizes.flatMap((objects): readonly Step[] => [
      // What thousands of watchers have left behind is not what objects cost.
      ...(objects > ratesAt ? [{ part: 'memory', objects, run: async (work: Work) => work.objects.target.own?.restart() } as const] : []),
      { objects, run: (work) => load(work, objects) },
      { part: 'memory', objects, run: (work) => memoryRow(work.objects, work.report, 'after loading') },
      { part: 'list', objects, isRepeated: true, run: lists },
      ...(objects < RATES_AT ? [] : wholeSteps(objects)),
      ...(objects === ratesAt ? rateSteps(objects, watchers, idle) : []),
    ]),
    {
      part: 'turns',
      objects: sizes.at(-1) ?? 0,
      run: ({ objects, report, seconds }) => turnsRow(objects, report, seconds * 2, watchers.at(-1) ?? 0),
    },
  ];
}

const wholeSteps = (objects: number): readonly Step[] => [
  {
    part: 'start',
    objects,
    run: async (work) => {
      await work.objects.target.own?.restart();
      started(work);
    },
  },
  {
    part: 'memory',
    objects,
    isOurs: true,
    run: ({ objects: all, report, secondsLeft }) => churn(all, report, Math.max(1, Math.min(CHURN_SECONDS, secondsLeft))),
  },
];

function rateSteps(objects: number, watchers: readonly number[], idle: readonly number[]): readonly Step[] {
  const step = (part: RowName, run: Step['run'], more: Partial<Step> = {}): Step => ({ part, objects, run, ...more });
  const repeated = { isRepeated: true };
  return [
    step('yardstick', ({ objects: all, report, seconds }) => plainRows(all, report, seconds)),
    step('yardstick', ({ objects: all, report, seconds }) => etcdClientRows(all, report, seconds)),
    step('get', ({ objects: all, report, seconds }) => getRows(all, report, seconds), repeated),
    step('protobuf', ({ objects: all, report, seconds }) => protobufRows(all, report, seconds)),
    step('get-put', ({ objects: all, report, seconds }) => getPutRow(all, report, seconds), repeated),
    step('patch', ({ objects: all, report, seconds }) => patchRows(all, report, seconds), repeated),
    ...watchers.map((count) => step('fan-out', (work) => fanOut(work, count), { ...repeated, watchers: count })),
    step('https', secureReads),
    ...watchers.map((count) => step('https', (work) => secureFanOut(work, count), { ...repeated, watchers: count })),
    ...idle.map((count) => step('idle', ({ objects: all, report, seconds }) => idleRow(all, report, seconds, count), { watchers: count })),
    step('create', ({ objects: all, report, seconds }) => createRows(all, report, seconds), repeated),
  ];
}

export interface Measuring {
  readonly options: BenchOptions;
  readonly report: Report;
  /** Until nothing new is begun. */
  readonly secondsLeft: () => number;
}

/** `targets` are new and empty. What fails is told in the report and costs no other step. */
export async function measure(targets: readonly Target[], { options, report, secondsLeft }: Measuring): Promise<void> {
  let measured: Objects[] = [];
  /** False when it failed. */
  const attempt = async (what: string, run: () => Promise<void>): Promise<boolean> => {
    try {
      await run();
      return true;
    } catch (error) {
      report.failure(`${what} failed: ${explain(error)}`);
      return false;
    }
  };
  for (const target of targets) {
    await attempt(target.name, async () => {
      measured.push(await prepareObjects(target));
    });
  }
  for (const step of stepsOf(options)) {
    if (step.part !== undefined && !options.rows.has(step.part)) continue;
    const taking = measured.filter(({ target }) => isWorthwhile(step, target, options));
    if (secondsLeft() <= 0) {
      for (const { target } of taking) report.note(`${target.name}: ${step.part ?? `${step.objects} objects`} left out, the time is over`);
      // Later steps of that size would be measured with fewer.
      if (step.part === undefined) break;
      continue;
    }
    const rounds = step.isRepeated === true ? options.rounds : 1;
    for (let round = 0; round < rounds; round++) {
      for (const [index, objects] of taking.entries()) {
        const work = { objects, report, seconds: options.seconds / rounds, secondsLeft: secondsLeft() / 2 / (taking.length - index) };
        const isFine = await attempt(`${objects.target.name}: ${step.part ?? 'loading'}`, () => step.run(work));
        if (!isFine && step.part === undefined) measured = measured.filter((each) => each !== objects);
      }
    }
  }
}

/** The peer is there to be compared with: it is spared what no goal compares with it. */
function isWorthwhile({ part, objects, watchers, isOurs = false }: Step, { name }: Target, { rows }: BenchOptions): boolean {
  if (name !== PEER) return true;
  return !isOurs && (part === undefined ? objects <= RATES_AT || rows.has('memory') : isYardstick(part, objects, watchers));
}

/** In one line; with its stack when `DEBUG` is set. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env['DEBUG'] === undefined ? error.message : (error.stack ?? error.message);
}

function started({ objects: { target, label }, report }: Work): void {
  if (target.own === undefined) return;
  const { readyAfterMs, cpuMs } = target.own.startUp();
  report.add({ target: target.name, name: `start-up with ${label}`, value: readyAfterMs, unit: 'ms', details: { cpu: cpuMs } });
}

async function lists({ objects, report, seconds }: Work): Promise<void> {
  await holdUpRow(objects, report);
  await listRows(objects, report, seconds);
  await holdUpRow(objects, report, `lists of ${objects.label}`);
}

async function fanOut({ objects, report, seconds }: Work, watchers: number): Promise<void> {
  await holdUpRow(objects, report);
  await fanOutRow(objects, report, seconds * 2, watchers);
  await holdUpRow(objects, report, `fan-out to ${watchers.toLocaleString('en-US')}`);
}

/** What most clients use: TLS with a client certificate, HTTP/1.1 and HTTP/2, beside the plain rows. */
const secureReads = ({ objects, report, seconds }: Work): Promise<void> =>
  overTls(objects, async (over) => {
    await getRows(over, report, seconds);
    await wholeListRow(over, report, seconds);
  });

const secureFanOut = ({ objects, report, seconds }: Work, watchers: number): Promise<void> =>
  overTls(objects, (over) => fanOutRow(over, report, seconds * 2, watchers));

async function overTls(objects: Objects, run: (over: Objects) => Promise<void>): Promise<void> {
  for (const target of secureTargets(objects.target)) {
    try {
      await run({ ...objects, target, over: target.over });
    } finally {
      await target.close();
    }
  }
}

async function load({ objects, report, secondsLeft }: Work, size: number): Promise<void> {
  const { target } = objects;
  objects.label = size.toLocaleString('en-US');
  if (objects.count >= size) return;
  // Rows on fewer objects say more than none.
  const { perSecond, details } = await createObjects(objects, LOAD_CLIENTS, secondsLeft, size);
  const name = `load up to ${size.toLocaleString('en-US')}, ${LOAD_CLIENTS} clients`;
  report.add({ target: target.name, name, value: perSecond, unit: '/s', details });
  if (objects.count >= size) return;
  objects.label = objects.count.toLocaleString('en-US');
  report.note(`${target.name}: ${objects.count} objects instead of ${size}, for lack of time`);
}
