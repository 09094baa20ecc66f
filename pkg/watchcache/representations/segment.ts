/** What lists in a derived representation are made of. */
import type { Chunk } from '../store/chunk.ts';
import type { DeflatedBlock } from '../lists/deflated-block.ts';
import type { EntryPlace } from './chunk-caches.ts';
import type { CacheSpace } from '../store/cache-budget.ts';
import type { ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { CachedObject } from '../watch-cache.ts';

/** Neighbours in a list. */
export interface Run {
  readonly entries: readonly CachedObject[];
  readonly from: number;
  readonly to: number;
  /** Whose entries they are, when they are its. */
  readonly chunk?: Chunk;
}

/** Where representations of objects are lookup. */
export interface CacheLookup {
  readonly cacheSpace: CacheSpace;
  /** Where an object is now that is in no chunk, or in one that was replaced. */
  readonly find: (object: CachedObject) => EntryPlace | undefined;
}

/** A run of objects in a derived representation. Made when it is asked for, from what is lookup of them. */
export interface RepresentationSegment {
  /** Does what has to be done once for each object, in slices; `compose` and `deflate` would do it at once. */
  prepare(task: ScheduledTask): Promise<void>;
  /** `,a,b,c` as of now, or `abc` when it is bare. */
  compose(): Buffer;
  /** What `deflate` would give, when it is known. */
  deflated(): DeflatedBlock | Promise<DeflatedBlock> | undefined;
  /** `a,b,c` as of now, or `abc`. The block of a whole chunk is made once and shared, as long as it would be the same. */
  deflate(): DeflatedBlock | Promise<DeflatedBlock>;
  /** Makes anew, when it is asked, what is not lookup. */
  release(): void;
}

/** Whether it is all of a chunk, which can remember it as a whole. */
export const wholeChunk = ({ chunk, entries, from, to }: Run): Chunk | undefined =>
  from === 0 && to === entries.length ? chunk : undefined;

/** What comes of it in the end, with a look at the clock after each of its steps. */
export async function madeInSlices<Made>(making: Generator<undefined, Made, undefined>, task: ScheduledTask): Promise<Made> {
  for (let step = making.next(); ; step = making.next()) {
    if (step.done === true) return step.value;
    if (task.shouldYield()) await task.yield();
  }
}

/** The same in this turn of the loop. */
export function madeAtOnce<Made>(making: Generator<undefined, Made, undefined>): Made {
  for (let step = making.next(); ; step = making.next()) if (step.done === true) return step.value;
}
