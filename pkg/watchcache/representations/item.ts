/**
 * One object in a bare representation, as it stands in a list. Its bytes never change; the view may move, from a Buffer of its own into one that its
 * neighbours share, so that they exist once.
 */
export class Item {
  #backing: Buffer;
  #start = 0;
  #end: number;

  constructor(bytes: Uint8Array) {
    // Of its own: what is lookup must not keep a pool alive.
    this.#backing = Buffer.allocUnsafeSlow(bytes.byteLength);
    this.#backing.set(bytes);
    this.#end = bytes.byteLength;
  }

  get size(): number {
    return this.#end - this.#start;
  }

  /** Where it begins and ends in the Buffer that holds it. */
  get start(): number {
    return this.#start;
  }
  get end(): number {
    return this.#end;
  }

  /** The Buffer that holds the bytes, with whatever else is in it. */
  get backing(): Buffer {
    return this.#backing;
  }

  get bytes(): Buffer {
    return this.#backing.subarray(this.#start, this.#end);
  }

  /** Copies the bytes to `target` at `offset` and looks at them there from now on. Returns the offset behind them. */
  moveTo(target: Buffer, offset: number): number {
    this.#backing.copy(target, offset, this.#start, this.#end);
    this.#end = offset + this.size;
    this.#start = offset;
    this.#backing = target;
    return this.#end;
  }
}
