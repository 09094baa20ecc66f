/** The files of a folder of manifests. Like kubectl, it takes no subfolders, and no names that begin with a dot. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareByBytes } from '../apimachinery/json/write-json.ts';
import { errorMessage } from '../apimachinery/status/error-message.ts';

const EXTENSION = /^[^.].*\.(ya?ml|json)$/;

export interface ManifestFolder {
  /** Paths, in the order of the names. */
  readonly files: readonly string[];
  /** Changes when a file does, also behind symbolic links, as in the volume of a ConfigMap. */
  readonly stamp: string;
  /** Why the folder cannot be read. */
  readonly problem?: string;
}

/** Never rejects. */
export async function readManifestFolder(folder: string): Promise<ManifestFolder> {
  let names;
  try {
    names = await readdir(folder);
  } catch (error) {
    const problem = errorMessage(error);
    return { files: [], stamp: problem, problem };
  }
  const paths = names
    .filter((name) => EXTENSION.test(name))
    .sort(compareByBytes)
    .map((name) => join(folder, name));
  const found = await Promise.all(paths.map(async (path) => ({ path, stamp: await fileStamp(path) })));
  const files = found.filter(({ stamp }) => stamp !== undefined);
  return { files: files.map(({ path }) => path), stamp: files.map(({ path, stamp }) => `${path} ${stamp}`).join('\n') };
}

/** Undefined: no file. What cannot be looked at is one, so that it is reported. */
async function fileStamp(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    return found.isDirectory() ? undefined : `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return errorMessage(error);
  }
}
