/**
 * `make generate`: writes every generated file from the type facts. With `--check` it writes nothing and fails,
 * naming each file that is stale, missing or no longer generated.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compareWithDisk, generate } from './generate.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = generate(root);
const { stale, orphans } = compareWithDisk(root, files);

if (process.argv.includes('--check')) {
  for (const { path: file } of stale) console.error(`stale: ${file}`);
  for (const file of orphans) console.error(`not generated any more: ${file}`);
  if (stale.length + orphans.length > 0) {
    console.error('Run `make generate` and commit the result.');
    process.exitCode = 1;
  }
} else {
  for (const { path: file, text } of stale) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  for (const file of orphans) rmSync(path.join(root, file));
  console.log(`${files.length} generated files, ${stale.length} written, ${orphans.length} removed`);
}
