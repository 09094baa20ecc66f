import { setFlagsFromString } from 'node:v8';

/** By how much the old generation may grow after a full collection before the next. */
const GROWTH_PERCENT = 60;

/** Those that this V8 knows: it would complain of others. */
const BOUNDS = [
  `--heap-growing-percent=${GROWTH_PERCENT}`,
  ...(process.versions.v8.startsWith('13.') ? ['--no-maglev-destroy-on-background'] : []),
];

/**
 * Bounds what a process that has started keeps of memory that nobody uses. While a program is loaded, all that it makes stays.
 *
 * - The collector of garbage comes when objects that outlived their request make up a good third of the heap. By itself V8 lets a small heap triple, and the
 *   Buffers of the requests with it: 60 MB of memory more after 10,000 creates. Writes pay for it with more collections, up to a tenth of their processor time;
 *   reads make next to nothing that grows old.
 * - What the compiler of the middle tier (Maglev) worked with is freed when its code is taken into use. By itself V8 leaves that to the thread that compiles,
 *   which first compiles whatever else there is: the first thousand creates take 45 MB for that, and objects come to lie between the holes, so that 15 MB of them stay.
 */
export function boundGarbage(): void {
  for (const bound of BOUNDS) setFlagsFromString(bound);
}
