/** A file with another text in it. */
import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const PERMISSIONS = 0o7777;

/**
 * After a crash at any moment the file has its old text or the new one, and whoever reads it meanwhile sees all of
 * either. It keeps its permissions and, as far as the user may say so, its owner; a link is followed. Rejects when the
 * file is not there, is no file or cannot be written.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const place = await realpath(path);
  const { mode, uid, gid } = await statusOf(place);
  const temporary = join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      // Giving a file away takes away its special permissions, so these come last.
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

/** Opened for writing, so that what the user may not write is not replaced either. */
async function statusOf(place: string): Promise<{ mode: number; uid: number; gid: number }> {
  const file = await open(place, 'r+');
  try {
    const status = await file.stat();
    if (!status.isFile()) throw new Error('it is no file');
    return status;
  } finally {
    await file.close();
  }
}
