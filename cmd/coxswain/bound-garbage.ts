import { setFlagsFromString } from 'node:v8';

/** By how much the old generation may grow after a full collection before the next. */
const GROWTH_PERCENT = 60;

/**
 * Has the collector of garbage come when objects that outlived their request make up a good third of the heap. By itself V8 lets a small heap triple, and the
 * Buffers of the requests with it: 60 MB of memory more after 10,000 creates. Writes pay for it with more
 * collections, up to a tenth of their processor time; reads make next to nothing that grows old. For a process that has started: while a program is loaded, all that it makes stays.
 */
export function boundGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
