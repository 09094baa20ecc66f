import { indexableFields, indexableLabels } from '../../apimachinery/selectors/selector.ts';
import type { CacheEvent } from './event.ts';
import type { Entry } from '../store/entry.ts';
import { fieldOf, labelOf, type Matcher } from '../selection.ts';
import type { Representation } from '../representations/representation.ts';
import type { Watcher } from './watcher.ts';

/** The live watchers of one selection and representation, which receive the same bytes. */
export class WatcherGroup {
  readonly matcher: Matcher;
  readonly representation: Representation | undefined;
  /** Events of the current batch. */
  pending: Buffer[] = [];
  #members: Watcher[] = [];
  #isShared = false;

  constructor({ matcher, representation }: Pick<Watcher, 'matcher' | 'representation'>) {
    this.matcher = matcher;
    this.representation = representation;
  }

  get size(): number {
    return this.#members.length;
  }

  /** The current members. The returned list never changes, so that a batch can be written over several ticks. */
  share(): readonly Watcher[] {
    this.#isShared = true;
    return this.#members;
  }

  add(watcher: Watcher): void {
    this.#copyIfShared();
    watcher.slot = this.#members.push(watcher) - 1;
  }

  remove(watcher: Watcher): void {
    this.#copyIfShared();
    const last = this.#members.pop();
    if (last !== undefined && last !== watcher) {
      this.#members[watcher.slot] = last;
      last.slot = watcher.slot;
    }
    watcher.slot = -1;
  }

  #copyIfShared(): void {
    if (!this.#isShared) return;
    this.#members = this.#members.slice();
    this.#isShared = false;
  }
}

type Bucket = Set<WatcherGroup>;
type BucketsByValue = Map<string, Bucket>;

/**
 * Groups of watchers, each in one bucket: by name, else namespace, else one required label, else one required field,
 * else unindexed. An event visits only the buckets of its old and new values.
 */
export class WatcherBuckets {
  readonly #groups = new Map<string, WatcherGroup>();
  readonly #byName: BucketsByValue = new Map();
  readonly #byNamespace: BucketsByValue = new Map();
  readonly #byLabel = new Map<string, BucketsByValue>();
  readonly #byField = new Map<string, BucketsByValue>();
  readonly #unindexed: Bucket = new Set();

  get groups(): Iterable<WatcherGroup> {
    return this.#groups.values();
  }

  /** The number of live watchers. */
  get size(): number {
    let size = 0;
    for (const group of this.#groups.values()) size += group.size;
    return size;
  }

  add(watcher: Watcher): void {
    const { matcher, groupId } = watcher;
    let group = this.#groups.get(groupId);
    if (group === undefined) {
      group = new WatcherGroup(watcher);
      this.#groups.set(groupId, group);
      this.#bucketOf(matcher).add(group);
    }
    group.add(watcher);
  }

  remove(watcher: Watcher): void {
    const { matcher, groupId } = watcher;
    const group = this.#groups.get(groupId);
    if (group === undefined || watcher.slot < 0) return;
    group.remove(watcher);
    if (group.size > 0) return;
    this.#groups.delete(groupId);
    this.#bucketOf(matcher).delete(group);
    this.#prune(matcher);
  }

  /** Calls `visit` once for each group that may select the event. */
  visit({ previous, current }: CacheEvent, visit: (group: WatcherGroup) => void): void {
    const object = current ?? previous;
    if (object === undefined) return;
    for (const group of this.#unindexed) visit(group);
    for (const group of this.#byName.get(object.name) ?? []) visit(group);
    for (const group of this.#byNamespace.get(object.namespace) ?? []) visit(group);
    for (const [key, byValue] of this.#byLabel) visitBoth(byValue, valueIn(previous, key, labelOf), valueIn(current, key, labelOf), visit);
    for (const [field, byValue] of this.#byField)
      visitBoth(byValue, valueIn(previous, field, fieldOf), valueIn(current, field, fieldOf), visit);
  }

  #bucketOf(matcher: Matcher): Bucket {
    if (matcher.name !== undefined) return bucketIn(this.#byName, matcher.name);
    if (matcher.namespace !== undefined) return bucketIn(this.#byNamespace, matcher.namespace);
    const label = requiredLabel(matcher);
    if (label !== undefined) return bucketIn(valuesIn(this.#byLabel, label.key), label.value);
    const field = requiredField(matcher);
    if (field !== undefined) return bucketIn(valuesIn(this.#byField, field.key), field.value);
    return this.#unindexed;
  }

  #prune(matcher: Matcher): void {
    const label = requiredLabel(matcher);
    const field = requiredField(matcher);
    if (matcher.name !== undefined) pruneValue(this.#byName, matcher.name);
    else if (matcher.namespace !== undefined) pruneValue(this.#byNamespace, matcher.namespace);
    else if (label !== undefined) pruneKey(this.#byLabel, label);
    else if (field !== undefined) pruneKey(this.#byField, field);
  }
}

interface RequiredValue {
  readonly key: string;
  readonly value: string;
}

const firstSingleValue = (
  requirements: readonly { readonly key: string; readonly values: readonly string[] }[],
): RequiredValue | undefined => {
  for (const { key, values } of requirements) {
    const [value] = values;
    if (value !== undefined && values.length === 1) return { key, value };
  }
  return undefined;
};

const requiredLabel = ({ labels }: Matcher): RequiredValue | undefined =>
  labels === undefined ? undefined : firstSingleValue(indexableLabels(labels));
const requiredField = ({ fields }: Matcher): RequiredValue | undefined =>
  fields === undefined ? undefined : firstSingleValue(indexableFields(fields));

const valueIn = (object: Entry | undefined, key: string, read: (object: Entry, key: string) => string | undefined): string | undefined =>
  object === undefined ? undefined : read(object, key);

function visitBoth(
  byValue: BucketsByValue,
  before: string | undefined,
  after: string | undefined,
  visit: (group: WatcherGroup) => void,
): void {
  if (before !== undefined) for (const group of byValue.get(before) ?? []) visit(group);
  if (after !== undefined && after !== before) for (const group of byValue.get(after) ?? []) visit(group);
}

function valuesIn(byKey: Map<string, BucketsByValue>, key: string): BucketsByValue {
  let byValue = byKey.get(key);
  if (byValue === undefined) byKey.set(key, (byValue = new Map<string, Bucket>()));
  return byValue;
}

function bucketIn(byValue: BucketsByValue, value: string): Bucket {
  let bucket = byValue.get(value);
  if (bucket === undefined) byValue.set(value, (bucket = new Set()));
  return bucket;
}

function pruneValue(byValue: BucketsByValue, value: string): void {
  if (byValue.get(value)?.size === 0) byValue.delete(value);
}

function pruneKey(byKey: Map<string, BucketsByValue>, { key, value }: RequiredValue): void {
  const byValue = byKey.get(key);
  if (byValue === undefined) return;
  pruneValue(byValue, value);
  if (byValue.size === 0) byKey.delete(key);
}
