/** Properties of an output stream. */

export interface Terminal {
  /** Columns per line. */
  readonly columns: number;
  /** Whether colors are supported and wanted. */
  readonly colors: boolean;
}

/** The part of `process.stdout` that is used. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** For files and pipes, which have no width. */
const DEFAULT_COLUMNS = 100;
/** Narrower output is not readable. */
const MIN_COLUMNS = 20;

/** Any non-empty `NO_COLOR` disables colors (https://no-color.org). `COLUMNS` counts when the stream has no width. */
export function terminalOf({ isTTY = false, columns = 0 }: OutputStream, environment: NodeJS.ProcessEnv): Terminal {
  const width = isTTY && columns > 0 ? columns : Number(environment['COLUMNS'] ?? '');
  return {
    columns: Number.isInteger(width) && width > 0 ? Math.max(width, MIN_COLUMNS) : DEFAULT_COLUMNS,
    colors: isTTY && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb',
  };
}
