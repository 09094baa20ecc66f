/** Compares what was measured with the goals of the budget. */
import type { Goal, Baseline } from './budget.ts';
import { PEER, type RowName } from './options.ts';
import { aligned, number, short, type Row } from './report.ts';

export interface Measured {
  readonly rows: readonly Row[];
  /** What the bench was asked for. */
  readonly asked: {
    readonly rows: readonly RowName[];
    readonly sizes: readonly number[];
    readonly watchers: readonly number[];
    readonly targets: readonly string[];
  };
}

export interface Verdict {
  readonly goal: Goal;
  readonly target: string;
  /** What it is compared with. */
  readonly base?: number;
  /** What the figure must reach; absent when it is not checked. */
  readonly limit?: number;
  readonly figure?: number;
  /** The figure as a multiple of what it is compared with: the peer, the bound, the other row. */
  readonly ratio?: number;
  readonly says: 'met' | 'not met' | 'not checked' | 'not measured';
  /** Of the last two. */
  readonly why?: string;
}

/**
 * One verdict for each goal on each store that was measured, in the order of the budget. `peer` names the target that
 * goals are multiples of.
 */
export function checkGoals(budget: readonly Goal[], measured: Measured, peer = PEER): readonly Verdict[] {
  return budget.flatMap((goal) =>
    goal.on.filter((store) => measured.asked.targets.includes(store)).map((target) => verdictOn(goal, target, measured, peer)),
  );
}

function verdictOn(goal: Goal, target: string, { rows, asked }: Measured, peer: string): Verdict {
  const ofTarget = rows.filter((row) => row.target === target);
  const row = ofTarget.find(({ name }) => (typeof goal.row === 'string' ? name === goal.row : goal.row.test(name)));
  const figure = goal.figure === undefined ? row?.value : row?.details[goal.figure];
  const lacking = whatLacks(goal, asked);
  if (row === undefined || figure === undefined || lacking !== undefined) {
    return { goal, target, says: 'not measured', why: lacking ?? 'left out, see the notes' };
  }
  const { base, limit, why } = limitOf(goal, { row, ofTarget, rows, peer, hasPeer: asked.targets.includes(peer) });
  const compared = base === undefined ? {} : { base, ...(base === 0 ? {} : { ratio: figure / base }) };
  if (limit === undefined) return { goal, target, figure, ...compared, says: 'not checked', ...(why === undefined ? {} : { why }) };
  const isMet = goal.bound === 'at least' ? figure >= limit : figure <= limit;
  return { goal, target, limit, figure, ...compared, says: isMet ? 'met' : 'not met' };
}

function whatLacks({ part, objects, watchers }: Goal, asked: Measured['asked']): string | undefined {
  if (!asked.rows.includes(part)) return `--rows without ${part}`;
  if (objects !== undefined && objects > 0 && !asked.sizes.includes(objects)) return `--sizes without ${objects}`;
  if (watchers !== undefined && !asked.watchers.includes(watchers)) return `--watchers without ${watchers}`;
  return undefined;
}

interface Limit {
  /** What the ratio is a multiple of. */
  readonly base?: number;
  readonly limit?: number;
  readonly why?: string;
}

interface Found {
  readonly row: Row;
  readonly ofTarget: readonly Row[];
  readonly rows: readonly Row[];
  readonly peer: string;
  readonly hasPeer: boolean;
}

function limitOf(goal: Goal, { row, ofTarget, rows, peer, hasPeer }: Found): Limit {
  const { baseline } = goal;
  switch (baseline.is) {
    case 'peer': {
      const of = baseline.of ?? { row: row.name, ...(goal.figure === undefined ? {} : { figure: goal.figure }) };
      const measured = rows.find(({ target, name }) => target === peer && name === of.row);
      // Figures of another machine are no stand-in for a row that the peer of this run lacks.
      const base = hasPeer ? (of.figure === undefined ? measured?.value : measured?.details[of.figure]) : baseline.figure;
      if (base !== undefined) return { base, limit: base * baseline.times };
      return { why: hasPeer ? 'the row of the peer is missing, see the notes' : 'the peer was not measured' };
    }
    case 'bound':
      return { base: baseline.figure, limit: baseline.figure };
    case 'detail': {
      const base = row.details[baseline.detail];
      return base === undefined ? { why: `no figure for ${baseline.shown}` } : { base, limit: base * baseline.times + baseline.plus };
    }
    case 'row': {
      const base = ofTarget.find(({ name }) => name === baseline.row)?.value;
      if (base === undefined) return { why: `${baseline.shown} was not measured` };
      return baseline.times === undefined ? { base, why: 'for comparison' } : { base, limit: base * baseline.times };
    }
    default:
      return baseline satisfies never;
  }
}

const HEADER = ['work', 'store', 'goal', 'measured', 'ratio', ''];

/** Header first. The ratio says of what it is one. */
export function budgetLines(verdicts: readonly Verdict[]): readonly (readonly string[])[] {
  return [
    HEADER,
    ...verdicts.map(({ goal, target, base, limit, figure, ratio, says, why }) => [
      goal.work,
      target,
      goalText(goal, base, limit),
      figure === undefined ? '' : withUnit(number(figure), goal.unit),
      ratio === undefined ? '' : `${number(ratio)} × ${baseText(goal.baseline)}`,
      why === undefined ? says : `${says}: ${why}`,
    ]),
  ];
}

/** For a terminal, with a line that counts. What was not asked for is only counted. */
export function budgetText(verdicts: readonly Verdict[], { asked }: Pick<Measured, 'asked'>): string {
  const shown = verdicts.filter(({ goal }) => asked.rows.includes(goal.part));
  return `${aligned(budgetLines(shown))}\n\n${countText(verdicts)}`;
}

export function countText(verdicts: readonly Verdict[]): string {
  const count = (says: Verdict['says']) => verdicts.filter((verdict) => verdict.says === says).length;
  return `${count('met')} met, ${count('not met')} not met, ${count('not checked')} not checked, ${count('not measured')} not measured`;
}

const withUnit = (figure: string, unit: string): string => `${figure} ${unit}`.trimEnd();

function goalText({ bound, unit, baseline }: Goal, base: number | undefined, limit: number | undefined): string {
  const times = shareOf(baseline, base);
  // What was measured has no more digits here than elsewhere; what was set has all of its own.
  const reached = limit === undefined ? undefined : number(limit);
  const shown = baseline.is === 'bound' ? short(baseline.figure) : reached;
  if (shown === undefined) return times === '' ? '' : `${bound} ${times}`;
  return `${bound} ${withUnit(shown, unit)}${times === '' ? '' : ` (${times})`}`;
}

function shareOf(baseline: Baseline, base: number | undefined): string {
  switch (baseline.is) {
    case 'peer':
      return `${short(baseline.times)} × ${base === undefined ? (baseline.shown ?? 'peer') : number(base)}`;
    case 'row':
      return baseline.times === undefined ? '' : `${short(baseline.times)} × ${baseline.shown}`;
    case 'detail':
      return `${short(baseline.times)} × ${baseline.shown}${baseline.plus === 0 ? '' : ` + ${short(baseline.plus)}`}`;
    case 'bound':
      return '';
    default:
      return baseline satisfies never;
  }
}

function baseText(baseline: Baseline): string {
  switch (baseline.is) {
    case 'peer':
      return baseline.shown ?? 'peer';
    case 'row':
    case 'detail':
      return baseline.shown;
    case 'bound':
      return 'goal';
    default:
      return baseline satisfies never;
  }
}
