import type { Revision } from '../../storage/backend.ts';
import type { Snapshot } from '../watch-cache.ts';

const MAX_SNAPSHOTS = 16;
const MAX_AGE_MS = 5 * 60_000;

/** Snapshots for later pages of lists, by revision. The least recently used is dropped first. */
export class RetainedSnapshots {
  readonly #now: () => number;
  /** In order of use. */
  readonly #snapshots = new Map<Revision, { readonly snapshot: Snapshot; readonly since: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#snapshots.size;
  }

  add(snapshot: Snapshot): void {
    const since = this.#snapshots.get(snapshot.revision)?.since ?? this.#now();
    this.#snapshots.delete(snapshot.revision);
    this.#snapshots.set(snapshot.revision, { snapshot, since });
    for (const oldest of this.#snapshots.keys()) {
      if (this.#snapshots.size <= MAX_SNAPSHOTS) break;
      this.#snapshots.delete(oldest);
    }
  }

  /** Drops snapshots that retain more bytes of replaced objects. */
  limit(maxRetainedBytes: number): void {
    for (const [revision, { snapshot }] of this.#snapshots) if (snapshot.retainedBytes > maxRetainedBytes) this.#snapshots.delete(revision);
  }

  get(revision: Revision): Snapshot | undefined {
    this.expire();
    const found = this.#snapshots.get(revision);
    if (found === undefined) return undefined;
    this.#snapshots.delete(revision);
    this.#snapshots.set(revision, found);
    return found.snapshot;
  }

  expire(): void {
    const oldest = this.#now() - MAX_AGE_MS;
    for (const [revision, { since }] of this.#snapshots) if (since <= oldest) this.#snapshots.delete(revision);
  }

  clear(): void {
    this.#snapshots.clear();
  }
}
