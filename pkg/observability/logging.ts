/**
 * The server's log: four levels, a message, and fields. Lines go to stderr, because stdout is for the command's output.
 * A line costs about 9 µs, so logging per request is only allowed at `debug`.
 */
import { createLogger, format, transports } from 'winston';

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

export const silentLog: Log = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };

export interface LogOptions {
  readonly format: 'text' | 'json';
  /** The value of `-v`. 0: warnings and messages for operators; 2 and more: also debug. */
  readonly verbosity: number;
  /** Default: stderr. */
  readonly stream?: NodeJS.WritableStream;
}

const DEBUG_FROM = 2;

/** An error as fields, with the stacks of its causes. */
function plainError(error: Error): Record<string, unknown> {
  return {
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: error.cause instanceof Error ? plainError(error.cause) : error.cause }),
  };
}

const plainFields = (fields: LogFields | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, value instanceof Error ? plainError(value) : value]));

/** For JSON.stringify, which throws for a bigint. */
const bigintToText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

/** `12:00:01.123 W the message key="value" …`; stacks follow on separate lines. */
export function textLine(level: string, timestamp: string, message: string, fields: Readonly<Record<string, unknown>>): string {
  const parts = [timestamp, level.charAt(0).toUpperCase(), message];
  const stacks: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'object' && value !== null && 'stack' in value && 'message' in value) {
      parts.push(`${name}=${JSON.stringify(value.message)}`);
      stacks.push(...stackLines(value));
    } else {
      parts.push(`${name}=${JSON.stringify(value, bigintToText)}`);
    }
  }
  return [parts.join(' '), ...stacks].join('\n');
}

function stackLines(error: object): string[] {
  const own = 'stack' in error && typeof error.stack === 'string' ? [error.stack] : [];
  return 'cause' in error && typeof error.cause === 'object' && error.cause !== null ? [...own, ...stackLines(error.cause)] : own;
}

export function createLog({ format: form, verbosity, stream = process.stderr }: LogOptions): Log {
  const line = format.printf(({ level, message, timestamp, ...fields }) =>
    form === 'json'
      ? JSON.stringify({ ts: timestamp, level, msg: message, ...fields }, bigintToText)
      : textLine(level, String(timestamp), String(message), fields),
  );
  const logger = createLogger({
    level: verbosity >= DEBUG_FROM ? 'debug' : 'info',
    format: format.combine(format.timestamp(), line),
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- winston's typings name the interface, not the class
    transports: [new transports.Stream({ stream })],
  });
  // A single object: winston would append the `message` of a separate fields argument to the line.
  const at = (level: string) => (message: string, fields?: LogFields) => {
    logger.log({ ...plainFields(fields), level, message });
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
