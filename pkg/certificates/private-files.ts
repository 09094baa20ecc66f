/** Files that only their owner may read, replaced whole or not at all. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CertificateError } from './certificate-error.ts';
import { errorText, isMissing } from './error-text.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;

/**
 * Made part by part where it is missing: Node's own `recursive` never returns from a parent that takes no new entries but says ENOENT,
 * such as /proc.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makePrivateFolder(parent);
  try {
    await mkdir(path, { mode: FOLDER_MODE });
  } catch (error) {
    // Another process may have been quicker.
    if (!(await isFolder(path))) throw new CertificateError(`${path} cannot be made: ${errorText(error)}.`, { cause: error });
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Undefined: there is none. Throws CertificateError when it cannot be read. */
export async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new CertificateError(`${path} cannot be read: ${errorText(error)}.`, { cause: error });
  }
}

/**
 * Takes every right from group and others, and says whether there was one to take; a file that is not there has none. Throws
 * CertificateError when it cannot: the file is another user's.
 */
export async function makePrivate(path: string): Promise<boolean> {
  try {
    const { mode } = await stat(path);
    if ((mode & OTHERS) === 0) return false;
    await chmod(path, mode & 0o700);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw new CertificateError(
      `${path} may be read by others, and that cannot be changed: ${errorText(error)}. Run chmod go= ${path} as its owner.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * After a crash at any moment the file has its old text or the new one, and once this resolves, the new one, also after a power cut. Of two
 * writers the last one wins. A link is followed. Throws CertificateError, also when something stands there that is no file.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  // Whoever puts a file in the place of a device or a pipe, such as /dev/stdout, takes it from everybody else.
  const place = found === undefined ? path : await realpath(path).catch(() => undefined);
  if (place === undefined || found?.isFile() === false) throw new CertificateError(`${path} is there and is no file.`);
  const folder = dirname(place);
  const temporary = join(folder, `.${basename(place)}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', FILE_MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, place);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new CertificateError(`${path} cannot be written: ${errorText(error)}.`, { cause: error });
  }
}

/** Removes what writers that crashed have left of these files. No other may be writing them now. */
export async function removeUnfinished(folder: string, names: readonly string[]): Promise<void> {
  const left = (await readdir(folder)).filter((entry) => names.some((name) => entry.startsWith(`.${name}.`)));
  await Promise.all(left.map((entry) => rm(join(folder, entry), { force: true })));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
