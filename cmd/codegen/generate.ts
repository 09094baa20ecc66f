/** All output of `make generate`, and its comparison with the files on disk. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateConfig } from './config/generate.ts';
import { generateDefinitions } from './definitions.ts';
import { readFacts } from './facts.ts';
import type { Facts } from './facts.ts';
import type { GeneratedFile } from './generated-file.ts';
import { generateJsonSchemas } from './json-schemas.ts';
import { generateOpenApi } from './openapi/documents.ts';
import { generateShapes } from './shapes.ts';
import { generateTypes } from './types.ts';
import { generateValidators } from './validators.ts';

/** One generator per kind of output. */
const GENERATORS: readonly ((facts: Facts) => readonly GeneratedFile[])[] = [
  generateTypes,
  generateShapes,
  generateDefinitions,
  generateJsonSchemas,
  generateOpenApi,
  generateValidators,
];

/** Code, schemas and documents that depend only on the facts. `root`: the checkout. */
export function generateFromFacts(root: string): GeneratedFile[] {
  const facts = readFacts(path.join(root, 'pkg/apis'));
  return [...GENERATORS.flatMap((generator) => generator(facts)), ...generateConfig(path.join(root, 'pkg/config/kinds'))];
}

/** Pages with values from code, such as defaults. Imported late, because they import output of `generateFromFacts`. */
export async function generatePages(root: string): Promise<GeneratedFile[]> {
  const [{ generateFlagDocs }, { generateKindDocs }, { generateMetricDocs }] = await Promise.all([
    import('./flag-docs.ts'),
    import('./kind-docs.ts'),
    import('./metric-docs.ts'),
  ]);
  return [...generateFlagDocs(), ...generateMetricDocs(), ...generateKindDocs(readFacts(path.join(root, 'pkg/apis')))];
}

export interface Differences {
  /** Missing or different on disk. */
  readonly stale: readonly GeneratedFile[];
  /** On disk, but no longer generated. */
  readonly orphans: readonly string[];
}

export function compareWithDisk(root: string, files: readonly GeneratedFile[]): Differences {
  const textOnDisk = (file: string): string | undefined => {
    const full = path.join(root, file);
    return existsSync(full) ? readFileSync(full, 'utf8') : undefined;
  };
  const filesBelow = (folder: string, isGenerated: (file: string) => boolean): string[] =>
    existsSync(path.join(root, folder))
      ? readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter(isGenerated)
          .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
      : [];
  const expected = new Set(files.map((file) => file.path));
  const onDisk = [
    ...filesBelow('pkg', (file) => file.endsWith('.gen.ts')),
    ...filesBelow('schemas', (file) => file.endsWith('.json')),
    ...filesBelow('docs/kinds', (file) => file.endsWith('.md')),
    ...filesBelow('docs/config', (file) => file.endsWith('.md')),
  ];
  return {
    stale: files.filter((file) => textOnDisk(file.path) !== file.text),
    orphans: onDisk.filter((file) => !expected.has(file)),
  };
}

/** Writes stale files, removes orphans, and returns both. */
export async function writeGenerated(root: string): Promise<Differences> {
  const fromFacts = generateFromFacts(root);
  const { stale } = compareWithDisk(root, fromFacts);
  writeFiles(root, stale);
  const differences = compareWithDisk(root, [...fromFacts, ...(await generatePages(root))]);
  writeFiles(root, differences.stale);
  for (const file of differences.orphans) rmSync(path.join(root, file));
  return { stale: [...stale, ...differences.stale], orphans: differences.orphans };
}

/** What `writeGenerated` would do. Pages are skipped while code is stale, because they are generated from it. */
export async function checkGenerated(root: string): Promise<Differences> {
  const fromFacts = generateFromFacts(root);
  const { stale } = compareWithDisk(root, fromFacts);
  return stale.length > 0 ? { stale, orphans: [] } : compareWithDisk(root, [...fromFacts, ...(await generatePages(root))]);
}

function writeFiles(root: string, files: readonly GeneratedFile[]): void {
  for (const { path: file, text } of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}
