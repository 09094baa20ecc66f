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
}

/** Rows of one target and series are one curve. */
export interface CurvePoint {
  readonly series: string;
  readonly over: 'objects' | 'watchers';
  readonly x: number;
}

export interface Report {
  /** Of what was measured several times, the one in the middle, with the most of everything that should never have happened. */
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
      return [...measured.values()].map(middle);
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

function middle(rounds: readonly Row[]): Row {
  const [row] = rounds.toSorted((a, b) => a.value - b.value).slice((rounds.length - 1) >> 1);
  if (row === undefined) throw new Error('no round was measured');
  const mistakes = MISTAKES.flatMap((name) => {
    const counts = rounds.flatMap(({ details }) => details[name] ?? []);
    return counts.length === 0 ? [] : [[name, Math.max(...counts)] as const];
  });
  return { ...row, details: { ...row.details, ...Object.fromEntries(mistakes) } };
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
