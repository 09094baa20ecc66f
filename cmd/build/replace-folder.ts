import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** No build takes as long. What is older was left by one that was stopped. */
const LEFT_MS = 10 * 60_000;

/**
 * Makes `folder`, which need not exist, anew: `write` fills another one, which then takes its place as a whole, so that whoever looks gets the old one or the new
 * one, never half of either. May run several times at once: the last to end wins. Rejects as `write` does, and `folder` stays what it was then.
 */
export async function replaceFolder(folder: string, write: (next: string) => Promise<void>): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  removeLeft(folder);
  const own = mkdtempSync(`${folder}.next-`);
  try {
    // Not `own` itself, which nobody else may look into.
    const next = path.join(own, 'next');
    mkdirSync(next);
    await write(next);
    moveInto(folder, next, own);
  } finally {
    remove(own);
  }
}

function moveInto(folder: string, next: string, aside: string): void {
  // Nothing can be exchanged for a folder that is not empty, and another build may have put its own there meanwhile.
  for (let others = 0; ; others++) {
    try {
      renameSync(next, folder);
      return;
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    }
    try {
      renameSync(folder, path.join(aside, String(others)));
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}

function removeLeft(folder: string): void {
  const parent = path.dirname(folder);
  const start = `${path.basename(folder)}.next-`;
  const before = Date.now() - LEFT_MS;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(start)) continue;
    const left = path.join(parent, name);
    if ((statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? before) < before) remove(left);
  }
}

/** What other users' starts have left in a built folder, only they can remove: no reason for a build to fail. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM')) throw error;
  }
}

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
