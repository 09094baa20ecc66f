/** Durations of the server's event loop ticks, from two readings of its histogram. */
const TICKS = 'coxswain_event_loop_tick_cpu_seconds';

export interface LoopTicks {
  readonly count: number;
  /**
   * No tick took more processor time, in ms: the bound of the histogram's bucket. One ms above the last bound when a
   * tick was above it.
   */
  readonly longestMs: number;
}

interface Bucket {
  readonly seconds: number;
  /** Number of ticks up to that long, since the server started. */
  readonly upTo: number;
}

/** Between the readings; undefined when there is no such metric, or there were no ticks. */
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
  return [...text.matchAll(new RegExp(`^${TICKS}_bucket\\{[^}]*le="([^"]+)"[^}]*\\} (\\d+)`, 'gm'))]
    .map(([, bound = '', upTo]) => ({ seconds: bound === '+Inf' ? Infinity : Number(bound), upTo: Number(upTo) }))
    .sort((a, b) => a.seconds - b.seconds);
}
