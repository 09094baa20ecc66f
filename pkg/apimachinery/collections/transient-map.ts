/** After so many additions, or as many as there are members, what is there moves into a new map. */
const RENEW_AFTER = 64;

/**
 * A map of what comes and goes with every request. V8's own keeps an outgrown table linked to the next one, with the members that it had: once one
 * of them is old, all that follow, and all that was in them, stay until the next full collection, though each is garbage after a millisecond. For
 * maps of requests that made most of what a write leaves behind. A new map has no such past.
 *
 * As of a Map, in the order of addition. Who iterates while members are added may miss what changes meanwhile.
 */
export class TransientMap<K, V> {
  #members = new Map<K, V>();
  #added = 0;

  get size(): number {
    return this.#members.size;
  }

  get(key: K): V | undefined {
    return this.#members.get(key);
  }

  set(key: K, value: V): this {
    if (++this.#added > RENEW_AFTER && this.#added > this.#members.size) {
      this.#members = new Map(this.#members);
      this.#added = 1;
    }
    this.#members.set(key, value);
    return this;
  }

  /** Whether it was there. */
  delete(key: K): boolean {
    return this.#members.delete(key);
  }

  clear(): void {
    this.#members = new Map();
    this.#added = 0;
  }

  keys(): MapIterator<K> {
    return this.#members.keys();
  }

  values(): MapIterator<V> {
    return this.#members.values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#members[Symbol.iterator]();
  }
}
