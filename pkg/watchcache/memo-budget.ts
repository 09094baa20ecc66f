/**
 * Bytes that can be made again (gzip blocks, later protobuf and Table rows), under one budget for the process: the least recently used
 * go first. A memo is any object; its owner is told when it must let go.
 */
export class MemoBudget {
  readonly #limit: number;
  /** In order of use: a Map keeps the order of insertion. */
  readonly #memos = new Map<object, { readonly bytes: number; readonly forget: () => void }>();
  #used = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** `forget` is called once when the budget needs the room, not after `drop`. */
  keep(memo: object, bytes: number, forget: () => void): void {
    this.drop(memo);
    this.#memos.set(memo, { bytes, forget });
    this.#used += bytes;
    for (const [oldest, { forget: letGo }] of this.#memos) {
      if (this.#used <= this.#limit) break;
      this.drop(oldest);
      letGo();
    }
  }

  touch(memo: object): void {
    const held = this.#memos.get(memo);
    if (held === undefined) return;
    this.#memos.delete(memo);
    this.#memos.set(memo, held);
  }

  drop(memo: object): void {
    const held = this.#memos.get(memo);
    if (held === undefined) return;
    this.#memos.delete(memo);
    this.#used -= held.bytes;
  }
}
