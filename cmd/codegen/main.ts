/**
 * `make generate`: writes every generated file from the type facts. With `--check` it writes nothing and fails,
 * naming each file that is stale, missing or no longer generated.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateDefinitions } from './definitions.ts';
import { readFacts } from './facts.ts';
import type { Facts } from './facts.ts';
import type { GeneratedFile } from './generated-file.ts';
import { generateShapes } from './shapes.ts';
import { generateTypes } from './types.ts';
import { generateValidators } from './validators.ts';

/** One generator per kind of output. A new one joins here. */
const GENERATORS: readonly ((facts: Facts) => readonly GeneratedFile[] | Promise<readonly GeneratedFile[]>)[] = [
  generateTypes,
  generateShapes,
  generateDefinitions,
  generateValidators,
];

const root = path.resolve(import.meta.dirname, '../..');

async function generate(): Promise<GeneratedFile[]> {
  const facts = readFacts(path.join(root, 'pkg/apis'));
  const outputs = await Promise.all(GENERATORS.map(async (generator) => generator(facts)));
  return outputs.flat();
}

/** Generated files on disk, so that one whose source is gone is noticed. */
function generatedOnDisk(): string[] {
  const list = (folder: string, isGenerated: (file: string) => boolean): string[] =>
    existsSync(path.join(root, folder))
      ? readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter(isGenerated)
          .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
      : [];
  return [...list('pkg', (file) => file.endsWith('.gen.ts')), ...list('schemas', (file) => file.endsWith('.json'))];
}

const current = (file: string): string | undefined => {
  const full = path.join(root, file);
  return existsSync(full) ? readFileSync(full, 'utf8') : undefined;
};

const files = await generate();
const expected = new Set(files.map((file) => file.path));
const stale = files.filter((file) => current(file.path) !== file.text);
const orphans = generatedOnDisk().filter((file) => !expected.has(file));

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
