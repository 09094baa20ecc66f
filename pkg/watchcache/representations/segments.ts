import { ContextFreeSegment } from './context-free-segment.ts';
import type { CacheLookup, Run } from './segment.ts';
import { composeAll, TemplatedSegment } from './templated-segment.ts';
import type { CachedObject, Representation } from '../watch-cache.ts';

/** Objects outside of a chunk are put together up to these: their representations are made in one turn. */
const MAX_RUN_OBJECTS = 128;
const MAX_RUN_BYTES = 128 * 1024;

/** Pieces of at most one chunk each. */
export function* representationSegments(
  runs: Iterable<Run>,
  representation: Representation,
  lookup: CacheLookup,
): Generator<{ readonly items: TemplatedSegment | ContextFreeSegment }> {
  for (const run of runs)
    yield {
      items:
        representation.isContextFree === true
          ? new ContextFreeSegment(run, representation, lookup)
          : new TemplatedSegment(run, representation, lookup),
    };
}

/** Objects from here and there, as runs that are not too large. */
export function* cutRuns(entries: readonly (CachedObject & { readonly size: number })[]): Generator<Run> {
  let from = 0;
  let bytes = 0;
  for (const [at, { size }] of entries.entries()) {
    if (at > from && (at - from >= MAX_RUN_OBJECTS || bytes + size > MAX_RUN_BYTES)) {
      yield { entries, from, to: at };
      from = at;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < entries.length) yield { entries, from, to: entries.length };
}

/** The representations of a few objects, with a comma in front of each unless they are bare: for objects that are in no cache. */
export const composeObjects = (objects: readonly CachedObject[], representation: Representation): Buffer =>
  representation.isContextFree === true
    ? Buffer.concat(objects.map(({ itemBytes }) => representation.encodeItem(itemBytes)))
    : composeAll(
        objects,
        objects.map(({ itemBytes }) => representation.prepare(itemBytes)),
        representation.now(),
      );
