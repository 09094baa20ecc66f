/**
 * What every backend promises, as one suite. A backend's test file is one call:
 *
 *   describeBackend('embedded', open, { progress: true, tooLargeValueBytes: 20_000_000 });
 *
 * Other keys may live in the store and other writers may make revisions: the suite looks at its own keys only and never
 * expects that two revisions are neighbours. Compaction, though, concerns the whole store, so nothing else may need its
 * history.
 */
import { describe } from '@jest/globals';
import { describeCommits } from './commits.ts';
import { describeCompaction } from './compaction.ts';
import type { BackendCapabilities, OpenBackend } from './contract-options.ts';
import { describeReads } from './reads.ts';
import { describeWatches } from './watches.ts';

export function describeBackend(name: string, open: OpenBackend, can: BackendCapabilities): void {
  describe(`backend ${name}`, () => {
    describeCommits(open, can);
    describeReads(open);
    describeWatches(open, can);
    describeCompaction(open);
  });
}
