/** Everything that `make generate` writes, and how it compares with what is on disk. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { generateConfig } from './config/generate.ts';
import { generateDefinitions } from './definitions.ts';
import { readFacts } from './facts.ts';
import type { Facts } from './facts.ts';
import { generateFlagDocs } from './flag-docs.ts';
import type { GeneratedFile } from './generated-file.ts';
import { generateJsonSchemas } from './json-schemas.ts';
import { generateKindDocs } from './kind-docs.ts';
import { generateOpenApi } from './openapi/documents.ts';
import { generateShapes } from './shapes.ts';
import { generateTypes } from './types.ts';
import { generateValidators } from './validators.ts';

/** One generator per kind of output. A new one joins here. */
const GENERATORS: readonly ((facts: Facts) => readonly GeneratedFile[])[] = [
  generateTypes,
  generateShapes,
  generateDefinitions,
  generateJsonSchemas,
  generateOpenApi,
  generateValidators,
  generateFlagDocs,
  generateKindDocs,
];

/** `root` is the checkout. */
export function generate(root: string): GeneratedFile[] {
  const facts = readFacts(path.join(root, 'pkg/apis'));
  return [...GENERATORS.flatMap((generator) => generator(facts)), ...generateConfig(path.join(root, 'pkg/config/kinds'))];
}

export interface Differences {
  /** Missing on disk or with another text. */
  readonly stale: readonly GeneratedFile[];
  /** On disk, but no generator writes them any more. */
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
