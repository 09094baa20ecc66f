/** How long turns of the server's event loop took, from two readings of its histogram. */
const TURNS = 'coxswain_event_loop_turn_cpu_seconds';

export interface LoopTicks {
  readonly count: number;
  /**
   * No turn took more processor time, in ms: the bound of the histogram's bucket. One ms above the last bound when a
   * turn was above it.
   */
  readonly longestMs: number;
}

interface Bucket {
  readonly seconds: number;
  /** LoopTicks up to that long, since the server's start. */
  readonly upTo: number;
}

/** Of the turns between the readings; undefined when the server does not tell, or there were none. */
export function ticksBetween(before: string, after: string): LoopTicks | undefined {
  const start = new Map(bucketsIn(before).map(({ seconds, upTo }) => [seconds, upTo]));
  const ends = bucketsIn(after);
  const upTo = ends.map((bucket) => bucket.upTo - (start.get(bucket.seconds) ?? 0));
  const count = upTo.at(-1) ?? 0;
  if (count <= 0) return undefined;
  const longest = ends[upTo.findIndex((each) => each === count)]?.seconds ?? Infinity;
  if (longest !== Infinity) return { count, longestMs: longest * 1000 };
  return { count, longestMs: (ends.at(-2)?.seconds ?? 0) * 1000 + 1 };
}

/** Ascending; the last bound is infinite. */
function bucketsIn(text: string): readonly Bucket[] {
  return [...text.matchAll(new RegExp(`^${TURNS}_bucket\\{[^}]*le="([^"]+)"[^}]*\\} (\\d+)`, 'gm'))]
    .map(([, bound = '', upTo]) => ({ seconds: bound === '+Inf' ? Infinity : Number(bound), upTo: Number(upTo) }))
    .sort((a, b) => a.seconds - b.seconds);
}
