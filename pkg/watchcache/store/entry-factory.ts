/** From stored values to entries: the only place where the representation of a stored value and the kind's facts meet. */
import type { Log } from '../../observability/logging.ts';
import type { StoredRecord } from '../../storage/backend.ts';
import { type Key, keyText } from '../../storage/keys.ts';
import { decodeRecord } from '../../storage/record.ts';
import { Entry } from './entry.ts';
import { type ArenaBlock, EntryArena } from './arena.ts';
import type { CachedResource, ObjectFacts } from '../watch-cache.ts';

/** A stored value that was read and not yet copied. */
export interface ReadValue {
  readonly record: StoredRecord;
  readonly json: Buffer;
  readonly token: string;
  readonly expiresAt: number | undefined;
  readonly facts: ObjectFacts;
  /** Bytes of the list representation. */
  readonly size: number;
}

const NONE: ReadonlySet<Key> = new Set();
/** A few milliseconds of copying. */
const TIDY_BUFFERS = 64;

export class EntryFactory {
  readonly #resource: CachedResource;
  readonly #log: Log;
  readonly arena = new EntryArena();
  readonly #unreadable = new Set<Key>();
  /** The same as it was when it was last asked for; undefined once it is not so any more. */
  #unreadableNow: ReadonlySet<Key> | undefined = NONE;
  /** One string for each namespace, however many objects are in it. */
  readonly #namespaces = new Map<string, string>();

  constructor(resource: CachedResource, log: Log) {
    this.#resource = resource;
    this.#log = log;
  }

  /** Keys whose value is not an object of this resource. The set stays as it is; another one takes its place. */
  get unreadable(): ReadonlySet<Key> {
    return (this.#unreadableNow ??= new Set(this.#unreadable));
  }

  isUnreadable(key: Key): boolean {
    return this.#unreadable.has(key);
  }

  /** Undefined, and said once per key, when the value is not an object of this resource. */
  read(record: StoredRecord): ReadValue | undefined {
    const content = decodeRecord(record.value);
    try {
      if (content === undefined || !this.#resource.encoding.isStored(content.json)) throw new Error('the value has another representation');
      const facts = this.#resource.describe(content.json);
      this.deleted(record.key);
      const size = this.#resource.encoding.itemLength(content.json, record.revision);
      return { record, json: content.json, token: content.token, expiresAt: content.expiresAt, facts, size };
    } catch (error) {
      if (!this.#unreadable.has(record.key)) {
        this.#unreadable.add(record.key);
        this.#unreadableNow = undefined;
        this.#log.error('A stored value cannot be read: lists that would show it fail, until it is restored or deleted.', {
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

  /** An entry whose bytes nothing else keeps alive for long. */
  own(value: ReadValue): Entry {
    const room = this.arena.reserve(value.size);
    if (room === undefined) return this.#write(value, Buffer.allocUnsafeSlow(value.size), 0);
    return this.writeTo(value, room.buffer, room.offset);
  }

  /** Moves together what lies scattered in memory that is mostly free. A little each time. */
  tidy(): void {
    this.arena.tidy(TIDY_BUFFERS);
  }

  /** An entry whose bytes are written into `target` at `offset`. */
  writeTo(value: ReadValue, target: ArenaBlock, offset: number): Entry {
    return this.#write(value, target.bytes, offset, target);
  }

  #write(value: ReadValue, target: Buffer, offset: number, holder?: ArenaBlock): Entry {
    const { record, json, facts, expiresAt } = value;
    const end = this.#resource.encoding.writeItem(target, offset, json, record.revision);
    return new Entry({ key: record.key, ...this.#placeOf(record.key) }, record.revision, facts, expiresAt, target, offset, end, holder);
  }

  #placeOf(key: Key): { readonly namespace: string; readonly name: string } {
    const path = keyText(key.slice(this.#resource.prefix.length) as Key);
    const slash = this.#resource.namespaced ? path.indexOf('/') : -1;
    if (slash < 0) return { namespace: '', name: path };
    const namespace = path.slice(0, slash);
    let shared = this.#namespaces.get(namespace);
    if (shared === undefined) this.#namespaces.set(namespace, (shared = namespace));
    return { namespace: shared, name: path.slice(slash + 1) };
  }
}
