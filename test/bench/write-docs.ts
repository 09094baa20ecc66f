/**
 * Writes docs/performance.md and its pictures anew from figures that were kept: `write-docs.ts [FILE]`, a file of
 * `--json`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS, FIGURES, FOLDER, REFERENCE_FIGURES, writePerformanceDocs, writeReferenceDocs } from './performance-docs.ts';
import { readResults } from './results.ts';

const kept = join(DOCS, FOLDER, REFERENCE_FIGURES);
const files = process.argv[2] === undefined ? [join(DOCS, FOLDER, FIGURES), ...(existsSync(kept) ? [kept] : [])] : [process.argv[2]];
for (const file of files) {
  const results = await readResults(file);
  await (results.machine.reference === undefined ? writePerformanceDocs(results) : writeReferenceDocs(results));
}
