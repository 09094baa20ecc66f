/** Files of `swagger-ui-dist`, from a fixed list: client input never becomes part of a path. */
import { readFile } from 'node:fs/promises';

/** Like `import.meta.resolve`: specifier to file URL; throws when the package is not installed. */
export type ResolveModule = (specifier: string) => string;

export const VIEWER_PACKAGE = 'swagger-ui-dist';

export const VIEWER_SCRIPT = 'swagger-ui-bundle.js';
/** Files that the page requests. */
export const VIEWER_FILES: readonly string[] = [
  'swagger-ui.css',
  VIEWER_SCRIPT,
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

/** Undefined when the package is missing or incomplete. `name` is one of `VIEWER_FILES`. */
export async function readViewerFile(name: string, resolveModule: ResolveModule): Promise<Buffer | undefined> {
  try {
    return await readFile(new URL(resolveModule(`${VIEWER_PACKAGE}/${name}`)));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const MISSING = new Set<unknown>(['ENOENT', 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
const isMissing = (error: unknown): boolean => typeof error === 'object' && error !== null && 'code' in error && MISSING.has(error.code);
