/**
 * Writes docs/performance.md and its pictures anew from figures that were kept: `node test/bench/write-docs.ts [FILE]`,
 * a file of `--json`.
 */
import { join } from 'node:path';
import { DOCS, FIGURES, FOLDER, writePerformanceDocs } from './performance-docs.ts';
import { readResults } from './results.ts';

await writePerformanceDocs(await readResults(process.argv[2] ?? join(DOCS, FOLDER, FIGURES)));
