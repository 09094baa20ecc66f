/**
 * How many files, and so connections, the process may have open. The runtime has raised the soft limit to the hard one
 * when it started.
 */
import { readFile } from 'node:fs/promises';
import type { Log } from '../../pkg/observability/logging.ts';

/** Below it, clients that watch over connections of their own may be too many. */
const FEW_FILES = 8192;

/** From the text of `/proc/<pid>/limits`; undefined: without a limit, or not said. */
export function parseOpenFiles(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** Connections beyond the limit are closed by the system as they come, and nobody is told: so it is said before. */
export function warnOfFewFiles(limits: string, log: Pick<Log, 'warn'>): void {
  const openFiles = parseOpenFiles(limits);
  if (openFiles === undefined || openFiles >= FEW_FILES) return;
  log.warn(
    'Few files may be open, and each connection is one of them: what comes beyond is closed at once. Raise the limit (ulimit -Hn).',
    {
      openFiles,
    },
  );
}

/** Of this process; empty where the system does not say, as on macOS. */
export const readLimits = (): Promise<string> => readFile('/proc/self/limits', 'utf8').catch(() => '');
