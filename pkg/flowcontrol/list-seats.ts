/** How many seats a list takes: by the bytes that are read for it, as in Kubernetes. */

export interface ListEstimate {
  readonly objects: number;
  /** Of all objects. */
  readonly bytes: number;
  /** Of the request; 0: none. */
  readonly limit: number;
}

const BYTES_PER_SEAT = 100_000;
/** What is streamed from the cache is in memory in parts of this size at most. */
const MAX_BYTES = 1_000_000;
const MAX_SEATS = 100;

export function listSeats({ objects, bytes, limit }: ListEstimate, maxSeats = MAX_SEATS): number {
  const read = objects === 0 ? 0 : limit > 0 && limit < objects ? (bytes / objects) * limit : bytes;
  const seats = Math.ceil(Math.min(read, MAX_BYTES) / BYTES_PER_SEAT);
  return Math.max(1, Math.min(seats, maxSeats, MAX_SEATS));
}
