/**
 * `make generate`: writes every generated file from the type facts. With `--check` it writes nothing and fails,
 * naming each file that is stale, missing or no longer generated.
 */
import path from 'node:path';
import { checkGenerated, writeGenerated } from './generate.ts';

const root = path.resolve(import.meta.dirname, '../..');

if (process.argv.includes('--check')) {
  const { stale, orphans } = await checkGenerated(root);
  for (const { path: file } of stale) console.error(`stale: ${file}`);
  for (const file of orphans) console.error(`not generated any more: ${file}`);
  if (stale.length + orphans.length > 0) {
    console.error('Run `make generate` and commit the result.');
    process.exitCode = 1;
  }
} else {
  const { stale, orphans } = await writeGenerated(root);
  console.log(`generated files: ${stale.length} written, ${orphans.length} removed`);
}
