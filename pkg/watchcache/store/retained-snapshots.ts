import type { Revision } from '../../storage/backend.ts';
import type { Snapshot } from '../watch-cache.ts';

const MAX_SNAPSHOTS = 16;
const MAX_AGE_MS = 5 * 60_000;

/** States kept for later pages of a list, by revision. The one used longest ago goes first. */
export class RetainedSnapshots {
  readonly #now: () => number;
  /** In order of use. */
  readonly #kept = new Map<Revision, { readonly snapshot: Snapshot; readonly since: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#kept.size;
  }

  keep(snapshot: Snapshot): void {
    const since = this.#kept.get(snapshot.revision)?.since ?? this.#now();
    this.#kept.delete(snapshot.revision);
    this.#kept.set(snapshot.revision, { snapshot, since });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_SNAPSHOTS) break;
      this.#kept.delete(oldest);
    }
  }

  /** Lets go of what keeps more alive than that, besides the state now. */
  limit(maxRetainedBytes: number): void {
    for (const [revision, { snapshot }] of this.#kept) if (snapshot.retainedBytes > maxRetainedBytes) this.#kept.delete(revision);
  }

  get(revision: Revision): Snapshot | undefined {
    this.expire();
    const kept = this.#kept.get(revision);
    if (kept === undefined) return undefined;
    this.#kept.delete(revision);
    this.#kept.set(revision, kept);
    return kept.snapshot;
  }

  expire(): void {
    const oldest = this.#now() - MAX_AGE_MS;
    for (const [revision, { since }] of this.#kept) if (since <= oldest) this.#kept.delete(revision);
  }

  clear(): void {
    this.#kept.clear();
  }
}
