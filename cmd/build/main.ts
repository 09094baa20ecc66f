/**
 * `make build`: bundles the program into `dist/` (or the folder that is named), a few files that start twice as fast as the several hundred they are made of. The
 * folder is replaced as a whole: whoever starts the program meanwhile gets the old one or the new one, never half of either.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundle } from './bundle.ts';
import { compileAhead } from './compile-ahead.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const next = `${folder}.next`;
const previous = `${folder}.previous`;

for (const left of [next, previous]) rmSync(left, { recursive: true, force: true });
await bundle(root, next);
if (existsSync(folder)) renameSync(folder, previous);
renameSync(next, folder);
rmSync(previous, { recursive: true, force: true });

try {
  await compileAhead(path.join(folder, '../bin/coxswain'));
} catch (error) {
  console.error(
    `The program is built, but not compiled ahead; its first start will take longer: ${error instanceof Error ? error.message : String(error)}`,
  );
}
