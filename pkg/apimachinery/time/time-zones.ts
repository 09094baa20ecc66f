/**
 * Which names of time zones there are: those of the system's database, and without one those of a list that came along. The
 * runtime's own idea of zones (`Intl`) is not asked: it takes any spelling and lacks some names.
 */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { timeZoneNames } from './time-zone-names.ts';

export interface TimeZones {
  /** Exactly so spelled, even where the file system does not tell `europe/rome` from `Europe/Rome`. Never throws. */
  readonly isKnown: (name: string) => boolean;
}

export interface TimeZonesOptions {
  /** Where databases may be; the first that is one counts. Default: where systems have them. */
  readonly folders?: readonly string[];
}

const SYSTEM_FOLDERS: readonly string[] = ['/usr/share/zoneinfo', '/usr/share/lib/zoneinfo', '/usr/lib/locale/TZ', '/etc/zoneinfo'];

/** Always known, and so also how a database is told from an empty folder. */
const UTC = 'UTC';
/** Relative and clean: no part is empty or begins with a dash, and there are no dots at all. */
const CLEAN_NAME = /^[A-Za-z0-9_+][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+][A-Za-z0-9_+-]*)*$/;
/** Longer than any; file systems refuse what is much longer. */
const MAX_NAME_LENGTH = 255;
/** RFC 8536 §3.1. */
const MAGIC = 'TZif';
/** There are about 1,800 files in a database with its variants; what is forgotten is looked up again. */
const MAX_REMEMBERED = 2000;

/** Costs a look at the file system for a name that was not found before; names once found are remembered. */
export function createTimeZones({ folders = SYSTEM_FOLDERS }: TimeZonesOptions = {}): TimeZones {
  const found = new Set<string>([UTC]);
  let listed: ReadonlySet<string> | undefined;
  const lookUp = (name: string): boolean => {
    if (name.length > MAX_NAME_LENGTH || !CLEAN_NAME.test(name)) return false;
    // Found anew each time: a database may be installed while the server runs.
    const database = folders.find((folder) => isZoneFile(path.join(folder, UTC)));
    if (database === undefined) return (listed ??= timeZoneNames()).has(name);
    return isZoneFile(path.join(database, name)) && isSpelledSo(database, name);
  };
  return {
    isKnown: (name) => {
      if (found.has(name)) return true;
      if (!lookUp(name)) return false;
      if (found.size < MAX_REMEMBERED) found.add(name);
      return true;
    },
  };
}

function isZoneFile(file: string): boolean {
  try {
    // Asked first, since this is how a name that is not there costs no exception, and a pipe is not opened.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    const opened = openSync(file, 'r');
    try {
      const head = Buffer.alloc(MAGIC.length);
      return readSync(opened, head) === MAGIC.length && head.toString('latin1') === MAGIC;
    } finally {
      closeSync(opened);
    }
  } catch {
    return false;
  }
}

/** Asks the folders what they call it, part by part. */
function isSpelledSo(database: string, name: string): boolean {
  const parts = name.split('/');
  try {
    return parts.every((part, depth) => readdirSync(path.join(database, ...parts.slice(0, depth))).includes(part));
  } catch {
    return false;
  }
}
