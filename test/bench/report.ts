/** Rows of all targets, as a table for people and as JSON for programs. */
export interface Row {
  readonly target: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Everything else that was measured with it, by name. */
  readonly details: Readonly<Record<string, number>>;
}

export interface Report {
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
  add(row: Row): void;
  note(text: string): void;
}

export function createReport(progress: (text: string) => void): Report {
  const rows: Row[] = [];
  const notes: string[] = [];
  return {
    rows,
    notes,
    add: (row) => {
      rows.push(row);
      progress(`${row.target.padEnd(10)} ${row.name.padEnd(44)} ${cell(row)}`);
    },
    note: (text) => {
      notes.push(text);
      progress(`note: ${text}`);
    },
  };
}

export function number(value: number): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

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
  const widths = header.map((_, column) => Math.max(...[header, ...lines].map((line) => (line[column] ?? '').length)));
  return [header, ...lines]
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
