/** Names of time zones from the system's database, else a bundled list. `Intl` ignores case and lacks some names. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { timeZoneNames } from './time-zone-names.ts';

export interface TimeZones {
  /** Case-sensitive, even on a file system that is not. Never throws. */
  readonly isKnown: (name: string) => boolean;
}

const SYSTEM_FOLDERS: readonly string[] = ['/usr/share/zoneinfo', '/usr/share/lib/zoneinfo', '/usr/lib/locale/TZ', '/etc/zoneinfo'];

/** Always present, so it shows whether a folder contains a database. */
const UTC = 'UTC';
/** A relative path without dots and without empty parts; no part starts with a dash. */
const SAFE_NAME = /^[A-Za-z0-9_+][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+][A-Za-z0-9_+-]*)*$/;
/** Longer than all names; file systems reject much longer ones. */
const MAX_NAME_LENGTH = 255;
/** RFC 8536 §3.1. */
const MAGIC = 'TZif';
/** A database has about 1,800 files with its variants. Names beyond this are looked up again. */
const MAX_CACHED_NAMES = 2000;

/** Uses the first existing folder. Names that were found are cached; any other name costs a file system access. */
export function createTimeZones({ folders = SYSTEM_FOLDERS }: { readonly folders?: readonly string[] } = {}): TimeZones {
  const cachedNames = new Set<string>([UTC]);
  let bundledNames: ReadonlySet<string> | undefined;
  const lookUp = (name: string): boolean => {
    if (name.length > MAX_NAME_LENGTH || !SAFE_NAME.test(name)) return false;
    // Searched each time, because a database may be installed while the server runs.
    const database = folders.find((folder) => isZoneFile(path.join(folder, UTC)));
    if (database === undefined) return (bundledNames ??= timeZoneNames()).has(name);
    return isZoneFile(path.join(database, name)) && hasExactCase(database, name);
  };
  return {
    isKnown: (name) => {
      if (cachedNames.has(name)) return true;
      if (!lookUp(name)) return false;
      if (cachedNames.size < MAX_CACHED_NAMES) cachedNames.add(name);
      return true;
    },
  };
}

function isZoneFile(file: string): boolean {
  try {
    // `stat` first: a missing file throws no exception then, and a pipe is not opened.
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

/** Compares each part with the directory entries. */
function hasExactCase(database: string, name: string): boolean {
  const parts = name.split('/');
  try {
    return parts.every((part, depth) => readdirSync(path.join(database, ...parts.slice(0, depth))).includes(part));
  } catch {
    return false;
  }
}
