/** What a command knows of where its text goes. */

export interface Terminal {
  /** How many fit on a line. */
  readonly columns: number;
  /** Whether colours are understood there, and wanted. */
  readonly colors: boolean;
}

/** Of `process.stdout`, and of what stands in for it. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** A file or a pipe has no width of its own; so many are easily read. */
const DEFAULT_COLUMNS = 100;
/** Fewer leave no room for anything. */
const LEAST_COLUMNS = 20;

/**
 * `NO_COLOR` as https://no-color.org has it: any text but the empty one. `COLUMNS` counts where nobody else knows the
 * width.
 */
export function terminalOf({ isTTY = false, columns = 0 }: OutputStream, environment: NodeJS.ProcessEnv): Terminal {
  const width = isTTY && columns > 0 ? columns : Number(environment['COLUMNS'] ?? '');
  return {
    columns: Number.isInteger(width) && width > 0 ? Math.max(width, LEAST_COLUMNS) : DEFAULT_COLUMNS,
    colors: isTTY && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb',
  };
}
