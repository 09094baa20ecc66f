/**
 * All steps, in an order that needs one store for each target: the collection grows from size to size, lists are
 * measured at each; the rows on single objects run once, at 10,000 objects or the next size below. The targets take
 * turns at every step, so that what else the machine does concerns all of them.
 */
import { isComparedWithPeer } from './budget.ts';
import { etcdClientRows } from './etcd-client-rows.ts';
import { fairnessRows } from './fairness-rows.ts';
import { fanOutRow } from './fan-out-row.ts';
import { accessRows } from './access-row.ts';
import { auditRow } from './audit-row.ts';
import { garbageRow } from './garbage-row.ts';
import { idleRow } from './idle-row.ts';
import { listRows, wholeListRow } from './list-rows.ts';
import { runMixedLoad, holdUpRow, memoryRow } from './memory-rows.ts';
import { createObjects, prepareObjects, type Objects } from './objects.ts';
import { PEER, RATES_AT, type BenchOptions, type RowName } from './options.ts';
import { plainRows } from './plain-rows.ts';
import { protobufRows } from './protobuf-rows.ts';
import { createRows, getPutRow, getRows, patchRows } from './rate-rows.ts';
import { createReport, type Report } from './report.ts';
import { PROTOCOLS, secureTarget, type OwnTargetName, type Protocol, type Target } from './target.ts';
import { loopTicksRow } from './loop-ticks-row.ts';

/** Loading is no row of its own: as many as make it short. */
const LOAD_CLIENTS = 64;
const MIXED_LOAD_SECONDS = 30;

/**
 * V8 looks for garbage when nothing was going on for 8 s. Go, in which the peer is written, takes two minutes: what it
 * holds at rest is not compared.
 */
const REST_MS = 12_000;

/** What a step works on. */
interface Work {
  readonly objects: Objects;
  readonly report: Report;
  /** Of each row. */
  readonly seconds: number;
  /** For steps that end when something is done: what they may take at most. */
  readonly secondsAtMost: number;
}

interface Step {
  /** Absent: later steps build on it. It is always taken, and a target that fails at it is measured no further. */
  readonly part?: RowName;
  /** Taken several times. */
  readonly isRepeated?: boolean;
  /**
   * Taken once by everybody before it counts: code that V8 has not seen before is slow for a second or two, and the
   * rows tell of a server at work.
   */
  readonly isRehearsed?: boolean;
  /** The servers are left alone for a while before. */
  readonly isAfterRest?: boolean;
  /** Objects that there are, or are to be. */
  readonly size: number;
  readonly watchers?: number;
  /** Never compared with the peer. */
  readonly isOurs?: boolean;
  readonly run: (work: Work) => Promise<void>;
}

/** What every target goes through. */
function stepsOf({ sizes, watchers, idle }: BenchOptions): readonly Step[] {
  const ratesAt = Math.max(...sizes.filter((size) => size <= RATES_AT), sizes[0] ?? 0);
  return [
    { part: 'start', size: 0, isRepeated: true, run: start },
    ...sizes.flatMap((size): readonly Step[] => [
      // What thousands of watchers have left behind is not what objects cost.
      ...(size > ratesAt ? [restart(size)] : []),
      { size, run: (work) => load(work, size) },
      { part: 'memory', size, isAfterRest: true, run: ({ objects, report }) => memoryRow(objects, report, 'after loading') },
      { part: 'list', size, isRepeated: true, run: lists },
      ...(size < RATES_AT ? [] : wholeSteps(size)),
      // A server whose debugging port was opened, for the memory rows, is slower.
      ...(size === ratesAt ? [restart(size), ...rateSteps(size, watchers, idle)] : []),
    ]),
    {
      part: 'ticks',
      size: sizes.at(-1) ?? 0,
      run: ({ objects, report, seconds }) => loopTicksRow(objects, report, seconds * 2, watchers.at(-1) ?? 0),
    },
  ];
}

const restart = (size: number): Step => ({ part: 'memory', size, run: async ({ objects }) => objects.target.own?.restart() });

const wholeSteps = (size: number): readonly Step[] => [
  { part: 'start', size, isRepeated: true, run: start },
  {
    part: 'memory',
    size,
    isOurs: true,
    run: ({ objects, report, secondsAtMost }) => runMixedLoad(objects, report, Math.max(1, Math.min(MIXED_LOAD_SECONDS, secondsAtMost))),
  },
  {
    part: 'memory',
    size,
    isOurs: true,
    isAfterRest: true,
    run: ({ objects, report }) => memoryRow(objects, report, 'after lists, updates and open pages'),
  },
];

function rateSteps(size: number, watchers: readonly number[], idle: readonly number[]): readonly Step[] {
  const once = (part: RowName, run: Step['run'], more: Partial<Step> = {}): Step => ({ part, size, run, ...more });
  const repeated = (part: RowName, run: Step['run'], more: Partial<Step> = {}): Step =>
    once(part, run, { isRepeated: true, isRehearsed: true, ...more });
  return [
    once('baseline', ({ objects, report, seconds }) => plainRows(objects, report, seconds)),
    once('baseline', ({ objects, report, seconds }) => etcdClientRows(objects, report, seconds)),
    repeated('get', ({ objects, report, seconds }) => getRows(objects, report, seconds)),
    once('protobuf', ({ objects, report, seconds }) => protobufRows(objects, report, seconds)),
    repeated('get-put', ({ objects, report, seconds }) => getPutRow(objects, report, seconds)),
    repeated('patch', ({ objects, report, seconds }) => patchRows(objects, report, seconds)),
    ...watchers.map((count) => repeated('fan-out', (work) => fanOut(work, count), { watchers: count })),
    ...PROTOCOLS.map((protocol) => once('https', (work) => secureReads(work, protocol))),
    ...watchers.flatMap((count) =>
      PROTOCOLS.map((protocol) => repeated('https', (work) => secureFanOut(work, protocol, count), { watchers: count })),
    ),
    ...idle.map((count) => once('idle', ({ objects, report, seconds }) => idleRow(objects, report, seconds, count), { watchers: count })),
    repeated('garbage', ({ objects, report, seconds }) => garbageRow(objects, report, seconds), { isOurs: true }),
    once('audit', ({ objects: { target }, report, seconds }) => auditRow(target.name as OwnTargetName, report, seconds), { isOurs: true }),
    once('access', ({ objects: { target }, report, seconds }) => accessRows(target.name as OwnTargetName, report, seconds), {
      isOurs: true,
    }),
    once('fairness', ({ objects: { target }, report, seconds }) => fairnessRows(target.name as OwnTargetName, report, seconds), {
      isOurs: true,
    }),
    // Not rehearsed: there would be more objects for whoever is faster.
    repeated('create', ({ objects, report, seconds }) => createRows(objects, report, seconds), { isRehearsed: false }),
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
  let going: Objects[] = [];
  for (const target of targets) {
    await attempt(report, target.name, async () => {
      going.push(await prepareObjects(target));
    });
  }
  for (const step of stepsOf(options)) {
    if (step.part !== undefined && !options.rows.has(step.part)) continue;
    const taking = going.filter(({ target }) => target.name !== PEER || isForPeer(step, options));
    const what = `${step.part ?? 'load'} at ${step.size}${step.watchers === undefined ? '' : ` with ${step.watchers} watchers`}`;
    if (secondsLeft() <= 0) {
      for (const { target } of taking) report.note(`${target.name}: ${what} left out, the time is over`);
      if (step.part === undefined) break;
      continue;
    }
    if (step.isAfterRest === true) await sleep(REST_MS);
    if (step.isRehearsed === true) {
      const unheard = createReport(() => undefined);
      for (const [index, objects] of taking.entries()) {
        const secondsAtMost = secondsLeft() / 2 / (taking.length - index);
        const { seconds } = options;
        await attempt(report, `${objects.target.name}: ${what}, before it is measured,`, () =>
          step.run({ objects, report: unheard, seconds, secondsAtMost }),
        );
      }
    }
    const rounds = step.isRepeated === true ? options.rounds : 1;
    for (let round = 0; round < rounds; round++) {
      for (const [index, objects] of rotated(taking, round).entries()) {
        const secondsAtMost = secondsLeft() / 2 / (taking.length - index);
        const run = () => step.run({ objects, report, seconds: options.seconds / rounds, secondsAtMost });
        const isFine = await attempt(report, `${objects.target.name}: ${what}`, run);
        if (!isFine && step.part === undefined) going = going.filter((each) => each !== objects);
      }
    }
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Nobody always comes behind the same. */
const rotated = <T>(all: readonly T[], round: number): readonly T[] => {
  const from = all.length === 0 ? 0 : round % all.length;
  return [...all.slice(from), ...all.slice(0, from)];
};

/** The peer is spared what no goal compares with it. */
function isForPeer({ part, size, watchers, isOurs = false }: Step, { rows }: BenchOptions): boolean {
  if (part === undefined) return size <= RATES_AT || rows.has('memory');
  return !isOurs && isComparedWithPeer(part, size, watchers);
}

/** False when it failed, of which there is a note then. */
export async function attempt(report: Report, what: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    report.failure(`${what} failed: ${explain(error)}`);
    return false;
  }
}

/** In one line; with its stack when `DEBUG` is set. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env['DEBUG'] === undefined ? error.message : (error.stack ?? error.message);
}

async function start({ objects: { target, label }, report }: Work): Promise<void> {
  if (target.own === undefined) return;
  await target.own.restart();
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

/** What most clients use: TLS with a client certificate, beside the plain rows. */
const secureReads = (work: Work, protocol: Protocol): Promise<void> =>
  overTls(work.objects, protocol, async (over) => {
    await getRows(over, work.report, work.seconds);
    await wholeListRow(over, work.report, work.seconds);
  });

const secureFanOut = ({ objects, report, seconds }: Work, protocol: Protocol, watchers: number): Promise<void> =>
  overTls(objects, protocol, (over) => fanOutRow(over, report, seconds * 2, watchers));

async function overTls(objects: Objects, protocol: Protocol, run: (over: Objects) => Promise<void>): Promise<void> {
  const target = secureTarget(objects.target, protocol);
  if (target === undefined) return;
  try {
    await run({ ...objects, target, over: `, HTTPS ${protocol}` });
  } finally {
    await target.close();
  }
}

async function load({ objects, report, secondsAtMost }: Work, size: number): Promise<void> {
  const { target } = objects;
  objects.label = size.toLocaleString('en-US');
  if (objects.count >= size) return;
  // Rows on fewer objects say more than none.
  const { perSecond, details } = await createObjects(objects, LOAD_CLIENTS, secondsAtMost, size);
  const name = `load up to ${size.toLocaleString('en-US')}, ${LOAD_CLIENTS} clients`;
  report.add({ target: target.name, name, value: perSecond, unit: '/s', details });
  if (objects.count >= size) return;
  objects.label = objects.count.toLocaleString('en-US');
  report.note(`${target.name}: ${objects.count} objects instead of ${size}, for lack of time`);
}
