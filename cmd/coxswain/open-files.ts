/** The limit of open files, and so of connections. The runtime has already raised the soft limit to the hard limit. */
import { readFile } from 'node:fs/promises';
import type { Log } from '../../pkg/observability/logging.ts';

/** Too few for many clients with their own connections. */
const FEW_FILES = 8192;

/** Parses `/proc/<pid>/limits`; undefined without a limit. */
export function parseOpenFiles(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** Warns early: the system closes connections beyond the limit silently. */
export function warnOfFewFiles(limits: string, log: Pick<Log, 'warn'>): void {
  const openFiles = parseOpenFiles(limits);
  if (openFiles === undefined || openFiles >= FEW_FILES) return;
  log.warn('the limit of open files is low, and further connections will be closed; raise it (ulimit -Hn)', { openFiles });
}

/** Limits of this process; empty on systems without them, such as macOS. */
export const readLimits = (): Promise<string> => readFile('/proc/self/limits', 'utf8').catch(() => '');
