/** Replaces the content of a file. */
import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const PERMISSIONS = 0o7777;

/**
 * Atomic: after a crash, and for concurrent readers, the file has the old or the new text. Keeps permissions and, if
 * possible, the owner; follows links. Rejects when the path is not a writable file.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const place = await realpath(path);
  const { mode, uid, gid } = await statusOf(place);
  const temporary = join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      // Last, since chown clears special permissions.
      await file.chown(uid, gid).catch(() => undefined);
      await file.chmod(mode & PERMISSIONS);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Opened for writing, so that files without write permission are not replaced. */
async function statusOf(place: string): Promise<{ mode: number; uid: number; gid: number }> {
  const file = await open(place, 'r+');
  try {
    const status = await file.stat();
    if (!status.isFile()) throw new Error('it is not a file');
    return status;
  } finally {
    await file.close();
  }
}
