/** Items that are due later: a binary heap by their time. An item is in it once, with the earliest of its times. */
interface Delayed<T> {
  readonly item: T;
  readonly dueMs: number;
}

export class DelayedItems<T> {
  readonly #heap: Delayed<T>[] = [];
  /** Entries of the heap with another time are outdated. */
  readonly #dueMs = new Map<T, number>();

  get size(): number {
    return this.#dueMs.size;
  }

  /** When the first item is due. */
  get firstDueMs(): number | undefined {
    for (let [first] = this.#heap; first !== undefined; [first] = this.#heap) {
      if (this.#dueMs.get(first.item) === first.dueMs) return first.dueMs;
      this.#removeFirst();
    }
    return undefined;
  }

  add(item: T, dueMs: number): void {
    const earlier = this.#dueMs.get(item);
    if (earlier !== undefined && earlier <= dueMs) return;
    this.#dueMs.set(item, dueMs);
    this.#insert({ item, dueMs });
  }

  /** Removes and returns the first item that is due at `nowMs`. */
  takeDue(nowMs: number): T | undefined {
    const { firstDueMs } = this;
    if (firstDueMs === undefined || firstDueMs > nowMs) return undefined;
    const first = this.#removeFirst();
    if (first !== undefined) this.#dueMs.delete(first.item);
    return first?.item;
  }

  clear(): void {
    this.#heap.length = 0;
    this.#dueMs.clear();
  }

  #insert(added: Delayed<T>): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parentAt = (at - 1) >>> 1;
      const parent = heap[parentAt];
      if (parent === undefined || parent.dueMs <= added.dueMs) break;
      heap[at] = parent;
      at = parentAt;
    }
    heap[at] = added;
  }

  #removeFirst(): Delayed<T> | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const childAt = (heap[left + 1]?.dueMs ?? Infinity) < (heap[left]?.dueMs ?? Infinity) ? left + 1 : left;
      const child = heap[childAt];
      if (child === undefined || child.dueMs >= last.dueMs) break;
      heap[at] = child;
      at = childAt;
    }
    heap[at] = last;
    return first;
  }
}
