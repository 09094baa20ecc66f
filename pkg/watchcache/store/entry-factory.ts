/** Creates entries from stored values. */
import type { Log } from '../../observability/logging.ts';
import type { StoredRecord } from '../../storage/backend.ts';
import { type Key, keyText } from '../../storage/keys.ts';
import { decodeRecord } from '../../storage/record.ts';
import type { CachedResource, ObjectAttributes } from '../watch-cache.ts';
import { Entry } from './entry.ts';
import type { Allocation, EntryMemory } from './entry-memory.ts';

/** A stored value that was read but not copied yet. */
export interface ReadValue {
  readonly record: StoredRecord;
  readonly json: Buffer;
  readonly token: string;
  readonly expiresAt: number | undefined;
  readonly attributes: ObjectAttributes;
  /** Length of the item. */
  readonly size: number;
}

const NO_KEYS: ReadonlySet<Key> = new Set();

export class EntryFactory {
  readonly memory: EntryMemory;
  readonly #resource: CachedResource;
  readonly #log: Log;
  readonly #unreadable = new Set<Key>();
  /** An immutable copy of `#unreadable`; undefined after a change. */
  #unreadableNow: ReadonlySet<Key> | undefined = NO_KEYS;
  /** Deduplicates the strings of namespaces. */
  readonly #namespaces = new Map<string, string>();

  constructor(resource: CachedResource, memory: EntryMemory, log: Log) {
    this.#resource = resource;
    this.memory = memory;
    this.#log = log;
  }

  /** Keys whose value is not an object of this resource. The returned set never changes. */
  get unreadable(): ReadonlySet<Key> {
    return (this.#unreadableNow ??= new Set(this.#unreadable));
  }

  isUnreadable(key: Key): boolean {
    return this.#unreadable.has(key);
  }

  /** Undefined if the value is not an object of this resource, which is logged once per key. */
  read(record: StoredRecord): ReadValue | undefined {
    const { readAttributes, encoding } = this.#resource;
    const content = decodeRecord(record.value);
    try {
      if (content === undefined || !encoding.isStored(content.json)) throw new Error('the value is not an object of this resource');
      const { json, token, expiresAt } = content;
      const attributes = readAttributes(json);
      this.deleted(record.key);
      return { record, json, token, expiresAt, attributes, size: encoding.itemLength(json, record.revision) };
    } catch (error) {
      if (!this.#unreadable.has(record.key)) {
        this.#unreadable.add(record.key);
        this.#unreadableNow = undefined;
        this.#log.error('stored value cannot be read, lists fail until it is restored or deleted', {
          resource: this.#resource.name,
          key: keyText(record.key),
          revision: record.revision,
          error,
        });
      }
      return undefined;
    }
  }

  deleted(key: Key): void {
    if (this.#unreadable.delete(key)) this.#unreadableNow = undefined;
  }

  /** Copies the item into `allocation`, by default a new one. */
  create(value: ReadValue, allocation: Allocation = this.memory.allocate(value.size)): Entry {
    const { record, json, attributes, expiresAt, size } = value;
    const { key, revision } = record;
    this.#resource.encoding.writeItem(allocation.bytes, allocation.offset, json, revision);
    return new Entry({ key, ...this.#nameOf(key), revision, expiresAt }, attributes, size, allocation);
  }

  #nameOf(key: Key): { readonly namespace: string; readonly name: string } {
    const path = keyText(key.slice(this.#resource.prefix.length) as Key);
    const slash = this.#resource.namespaced ? path.indexOf('/') : -1;
    if (slash < 0) return { namespace: '', name: path };
    const namespace = path.slice(0, slash);
    let shared = this.#namespaces.get(namespace);
    if (shared === undefined) this.#namespaces.set(namespace, (shared = namespace));
    return { namespace: shared, name: path.slice(slash + 1) };
  }
}
