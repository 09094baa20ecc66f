/**
 * `make build`: bundles the program into `dist/` (or the folder that is named), a few files that start twice as fast as the several hundred they are made of. The
 * folder is replaced as a whole: whoever starts the program meanwhile gets the old one or the new one, never half of either.
 */
import path from 'node:path';
import { bundle } from './bundle.ts';
import { compileAhead } from './compile-ahead.ts';
import { replaceFolder } from './replace-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist'));

await replaceFolder(folder, (next) => bundle(root, next));

try {
  await compileAhead(path.join(folder, '../bin/coxswain'));
} catch (error) {
  console.error(
    `The program is built, but not compiled ahead; its first start will take longer: ${error instanceof Error ? error.message : String(error)}`,
  );
}
