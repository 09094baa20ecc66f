/** Files that only their owner can read, replaced atomically. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorMessage } from '../apimachinery/status/error-message.ts';
import { CertificateError, isMissing } from './certificate-error.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const GROUP_AND_OTHERS = 0o077;

/** Creates parents one by one: Node's `recursive` hangs on a parent that returns ENOENT for entries, such as /proc. */
export async function makePrivateFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makePrivateFolder(parent);
  try {
    await mkdir(path, { mode: FOLDER_MODE });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!(await isFolder(path))) throw new CertificateError(`${path} cannot be created: ${errorMessage(error)}.`, { cause: error });
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Undefined if the file does not exist. Throws CertificateError if it cannot be read. */
export async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new CertificateError(`${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}

/**
 * Removes all permissions of group and others. Returns whether there were any; false for a missing file. Throws
 * CertificateError if another user owns the file.
 */
export async function makePrivate(path: string): Promise<boolean> {
  try {
    const { mode } = await stat(path);
    if ((mode & GROUP_AND_OTHERS) === 0) return false;
    await chmod(path, mode & 0o700);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw new CertificateError(
      `${path} is accessible to others, and its permissions cannot be changed: ${errorMessage(error)}. Run chmod go= ${path} as its owner.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Atomic and durable: after a crash the file has the old or the new text. The last concurrent writer wins. Follows
 * links. Throws CertificateError, also if the path is not a regular file.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  // Renaming over a device or pipe, such as /dev/stdout, would remove it for everybody.
  const target = found === undefined ? path : await realpath(path).catch(() => undefined);
  if (target === undefined || found?.isFile() === false) throw new CertificateError(`${path} exists and is not a regular file.`);
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', FILE_MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new CertificateError(`${path} cannot be written: ${errorMessage(error)}.`, { cause: error });
  }
}

/** Removes temporary files of crashed writers. No other process may be writing these files. */
export async function removeTemporaryFiles(folder: string, names: readonly string[]): Promise<void> {
  const leftovers = (await readdir(folder)).filter((entry) => names.some((name) => entry.startsWith(`.${name}.`)));
  await Promise.all(leftovers.map((entry) => rm(join(folder, entry), { force: true })));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
