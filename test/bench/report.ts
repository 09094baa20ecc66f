/** Rows of all targets, as a table for people and as JSON for programs. */
export interface Row {
  readonly target: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Everything else that was measured with it, by name. */
  readonly details: Readonly<Record<string, number>>;
  /** Absent: it is no point of a curve. */
  readonly at?: CurvePoint;
  /** Of several rounds the highest counts: the value itself says how bad it got. */
  readonly isWorst?: boolean;
}

/** Rows of one target and series are one curve. */
export interface CurvePoint {
  readonly series: string;
  readonly over: 'objects' | 'watchers';
  readonly x: number;
}

export interface Report {
  /** Of what was measured several times, the median of each figure, and the most of what should never have happened. */
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
  add(row: Row): void;
  note(text: string): void;
  /** A note that something went wrong. */
  failure(text: string): void;
  readonly hasFailed: boolean;
}

export function createReport(progress: (text: string) => void): Report {
  const measured = new Map<string, Row[]>();
  const notes: string[] = [];
  let hasFailed = false;
  const note = (text: string): void => {
    notes.push(text);
    progress(`note: ${text}`);
  };
  return {
    get rows() {
      return [...measured.values()].map(merged);
    },
    notes,
    add: (row) => {
      const key = `${row.target}\n${row.name}`;
      measured.set(key, [...(measured.get(key) ?? []), row]);
      progress(`${row.target.padEnd(10)} ${row.name.padEnd(44)} ${cell(row)}`);
    },
    note,
    failure: (text) => {
      hasFailed = true;
      note(text);
    },
    get hasFailed() {
      return hasFailed;
    },
  };
}

/** Details that are mistakes: one round of several in which they happened is one too many. */
const MISTAKES = ['lost', 'doubled', 'closed', 'failed'];

function merged(rounds: readonly Row[]): Row {
  const [first] = rounds;
  if (first === undefined) throw new Error('no round was measured');
  const names = [...new Set(rounds.flatMap(({ details }) => Object.keys(details)))];
  const detail = (name: string): number => {
    const figures = rounds.flatMap(({ details }) => details[name] ?? []);
    return MISTAKES.includes(name) ? Math.max(...figures) : median(figures);
  };
  const values = rounds.map(({ value }) => value);
  return {
    ...first,
    value: first.isWorst === true ? Math.max(...values) : median(values),
    details: Object.fromEntries(names.map((name) => [name, detail(name)])),
  };
}

/** The mean of the two in the middle where there are two. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? NaN;
  const lower = sorted[(sorted.length - 1) >> 1] ?? NaN;
  return (upper + lower) / 2;
}

export function number(value: number): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A number that somebody chose, without digits that say nothing. */
export const short = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

const detail = ([name, value]: [string, number]): string => `${name} ${number(value)}`;
const cell = ({ value, unit, details }: Row): string => [`${number(value)} ${unit}`, ...Object.entries(details).map(detail)].join(', ');

/** One line per row name, one column per target; with a peer among them, the ratio of every other target to it. */
export function table(rows: readonly Row[], peer: string | undefined): string {
  const targets = [...new Set(rows.map(({ target }) => target))];
  const names = [...new Set(rows.map(({ name }) => name))];
  const header = ['', ...targets];
  const lines = names.map((name) => {
    const found = targets.map((target) => rows.find((row) => row.name === name && row.target === target));
    const base = found[targets.indexOf(peer ?? '')];
    return [
      name,
      ...found.map((row) => {
        if (row === undefined) return '-';
        const ratio = base === undefined || base === row || base.value === 0 ? '' : `  [×${number(row.value / base.value)}]`;
        return cell(row) + ratio;
      }),
    ];
  });
  return aligned([header, ...lines]);
}

/** Columns side by side, for a terminal. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = widthsOf(lines);
  return lines.map((line) => padded(line, widths).join('  ').trimEnd()).join('\n');
}

/** The first line is the header. As the formatter of this project wants it. */
export function markdownTable(lines: readonly (readonly string[])[]): string {
  const [header = [], ...rest] = lines.map((line) => line.map((text) => text.replaceAll('|', String.raw`\|`)));
  const widths = widthsOf([header, ...rest]).map((width) => Math.max(width, 3));
  const rule = widths.map((width) => '-'.repeat(width));
  return [padded(header, widths), rule, ...rest.map((line) => padded(line, widths))].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const widthsOf = (lines: readonly (readonly string[])[]): number[] =>
  (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));

const padded = (line: readonly string[], widths: readonly number[]): string[] =>
  widths.map((width, column) => (line[column] ?? '').padEnd(width));
