/** `make generate`: writes all generated files. `--check` writes nothing and reports stale files and orphans. */
import path from 'node:path';
import { readFacts } from './facts.ts';
import { checkGenerated, writeGenerated } from './generate.ts';
import { findProblems } from './kind-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

const problems = findProblems(root, readFacts(path.join(root, 'pkg/apis')));
if (problems.length > 0) {
  console.error([...problems, 'Nothing was generated. docs/adding-a-kind.md says what each file is for.'].join('\n'));
  process.exit(1);
}

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
