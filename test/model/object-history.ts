/**
 * What a collection must look like: the log of every change that was made to it, and nothing else. Any state, any list
 * and any stream follows from the log by a few lines that know nothing of how the server does it.
 */
import type { ApiObject } from '../support/api-object.ts';
import type { WatchEvent } from '../support/watch-stream.ts';

export interface Change {
  readonly revision: number;
  /** `namespace/name`. */
  readonly key: string;
  readonly previous: ApiObject | undefined;
  readonly current: ApiObject | undefined;
}

/** Says of an object whether a list or a watch shows it. */
export type Matches = (object: ApiObject) => boolean;

export const keyOf = ({ metadata: { namespace = '', name } }: ApiObject): string => `${namespace}/${name}`;

export class ObjectHistory {
  readonly #changes: Change[] = [];
  readonly #now = new Map<string, ApiObject>();
  /** Every revision that an answer or an event has named, in order. The first is where the history begins. */
  readonly #revisions: number[];

  #changedAt = performance.now();

  constructor(begin: number) {
    this.#revisions = [begin];
  }

  /** The newest revision that is known. */
  get revision(): number {
    return this.#revisions.at(-1) ?? 0;
  }

  /** When the last change was told, by the clock of `performance`. */
  get changedAt(): number {
    return this.#changedAt;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Revisions are told in any order, since reads may overtake each other. */
  saw(revision: number): void {
    if (this.#revisions.includes(revision)) return;
    this.#revisions.push(revision);
    this.#revisions.sort((a, b) => a - b);
  }

  /** The revision that was the newest `back` steps ago; the first one when there were fewer. */
  revisionBack(back: number): number {
    return this.#revisions.at(-1 - Math.min(back, this.#revisions.length - 1)) ?? 0;
  }

  get(key: string): ApiObject | undefined {
    return this.#now.get(key);
  }

  get objects(): readonly ApiObject[] {
    return [...this.#now.values()];
  }

  /** Throws when the event is not the next change of its object. */
  append({ type, object }: WatchEvent): Change {
    const key = keyOf(object);
    const revision = Number(object.metadata.resourceVersion);
    const previous = this.#now.get(key);
    const expected = previous === undefined ? 'ADDED' : type === 'DELETED' ? 'DELETED' : 'MODIFIED';
    if (type !== expected) throw new Error(`${type} of ${key} at ${revision}, expected ${expected}`);
    const last = this.#changes.at(-1)?.revision ?? this.#revisions[0] ?? 0;
    if (revision <= last) throw new Error(`${type} of ${key} at ${revision} came behind ${last}`);
    const change = { key, revision, previous, current: type === 'DELETED' ? undefined : object };
    this.#changes.push(change);
    this.#changedAt = performance.now();
    if (change.current === undefined) this.#now.delete(key);
    else this.#now.set(key, change.current);
    this.saw(revision);
    return change;
  }

  /** In the order of a list: by the bytes of namespace and name. */
  stateAt(revision: number, matches: Matches): readonly ApiObject[] {
    const state = new Map<string, ApiObject>();
    for (const { key, current, revision: at } of this.#changes) {
      if (at > revision) break;
      if (current === undefined) state.delete(key);
      else state.set(key, current);
    }
    return [...state]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object)
      .filter(matches);
  }

  /** What a watch of these objects is sent after `revision`. */
  eventsAfter(revision: number, matches: Matches): readonly WatchEvent[] {
    const events: WatchEvent[] = [];
    for (const change of this.#changes) {
      if (change.revision <= revision) continue;
      const event = toEvent(change, matches);
      if (event !== undefined) events.push(event);
    }
    return events;
  }
}

/**
 * An object that enters the selection is added, one that leaves it is deleted; who goes is shown as it last was, with
 * the revision of its going.
 */
function toEvent({ revision, previous, current }: Change, matches: Matches): WatchEvent | undefined {
  const before = previous !== undefined && matches(previous) ? previous : undefined;
  const after = current !== undefined && matches(current) ? current : undefined;
  if (after !== undefined) return { type: before === undefined ? 'ADDED' : 'MODIFIED', object: after };
  if (before === undefined) return undefined;
  return { type: 'DELETED', object: { ...before, metadata: { ...before.metadata, resourceVersion: String(revision) } } };
}
