/** Latencies in buckets of a hundredth of a millisecond up to a second, of one millisecond up to a minute. */
const FINE = 100_000;
const COARSE = 60_000;

export class Histogram {
  readonly #fine = new Uint32Array(FINE);
  readonly #coarse = new Uint32Array(COARSE);
  count = 0;

  record(ms: number): void {
    this.count++;
    const [buckets, index] =
      ms < 1000 ? [this.#fine, Math.max(0, Math.floor(ms * 100))] : [this.#coarse, Math.min(COARSE - 1, Math.floor(ms))];
    buckets[index] = (buckets[index] ?? 0) + 1;
  }

  /** The upper bound, in ms, of the bucket that holds the quantile; 0 when nothing was recorded. */
  quantile(share: number): number {
    let left = Math.ceil(this.count * share);
    if (left === 0) return 0;
    for (let i = 0; i < FINE; i++) if ((left -= this.#fine[i] ?? 0) <= 0) return (i + 1) / 100;
    for (let i = 0; i < COARSE; i++) if ((left -= this.#coarse[i] ?? 0) <= 0) return i + 1;
    return COARSE;
  }
}
