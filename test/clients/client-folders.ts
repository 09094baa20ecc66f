/** The clients: each folder here that has a `client.json`. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface ClientFolder {
  readonly name: string;
  readonly path: string;
}

/** By name. */
export function clientFolders(): readonly ClientFolder[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, path: join(import.meta.dirname, name) }))
    .filter(({ path }) => existsSync(join(path, 'client.json')))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `wanted` is names with commas between, or empty for all. Throws one sentence about a name that is none. */
export function chooseFolders(folders: readonly ClientFolder[], wanted: string): readonly ClientFolder[] {
  const names = wanted.split(/[\s,]+/).filter((name) => name !== '');
  const unknown = names.find((name) => !folders.some((folder) => folder.name === name));
  if (unknown !== undefined) throw new Error(`there is no client ${unknown}, only ${folders.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? folders : folders.filter(({ name }) => names.includes(name));
}
