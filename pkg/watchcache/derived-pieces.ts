import { BarePiece } from './bare-piece.ts';
import type { Remembered, Run } from './derived-piece.ts';
import { composeAll, PreparedPiece } from './prepared-piece.ts';
import type { CachedObject, DerivedForm } from './watch-cache.ts';

/** Objects outside of a chunk are put together up to these: their forms are made in one turn. */
const MAX_RUN_OBJECTS = 128;
const MAX_RUN_BYTES = 128 * 1024;

/** Pieces of at most one chunk each. */
export function* derivedPieces(
  runs: Iterable<Run>,
  form: DerivedForm,
  remembered: Remembered,
): Generator<{ readonly derived: PreparedPiece | BarePiece }> {
  for (const run of runs)
    yield { derived: form.isBare === true ? new BarePiece(run, form, remembered) : new PreparedPiece(run, form, remembered) };
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

/** The forms of a few objects, with a comma in front of each unless they are bare: for objects that are in no cache. */
export const composeObjects = (objects: readonly CachedObject[], form: DerivedForm): Buffer =>
  form.isBare === true
    ? Buffer.concat(objects.map(({ listForm }) => form.element(listForm)))
    : composeAll(
        objects,
        objects.map(({ listForm }) => form.prepare(listForm)),
        form.now(),
      );
