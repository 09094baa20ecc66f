/**
 * The byte layouts of one object, converted by splicing, without parsing:
 *
 *     stored         {"kind":K,"apiVersion":V,"metadata":{ rest
 *     item           {"metadata":{"resourceVersion":"N", rest            as in the `items` of a list
 *     single object  {"kind":K,"apiVersion":V,"metadata":{"resourceVersion":"N", rest
 *
 * `rest` starts with the first field of the metadata, which is never empty, since every stored object has a name. Only
 * this module knows these layouts.
 */

const METADATA = '"metadata":{';
const ITEM_START = Buffer.from(`{${METADATA}"resourceVersion":"`);
const METADATA_VALUE = '{"metadata":'.length;
/** Offset of the first metadata field in an item. */
export const ITEM_METADATA_START = METADATA_VALUE + 1;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The layouts of the objects of one kind. */
export class ObjectEncoding {
  /** `{"kind":"CronJob","apiVersion":"batch/v1",` */
  readonly head: Buffer;
  readonly #storedStart: Buffer;

  constructor({ kind, apiVersion }: { readonly kind: string; readonly apiVersion: string }) {
    this.head = Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
    this.#storedStart = Buffer.concat([this.head, Buffer.from(METADATA)]);
  }

  /** Offset of the first metadata field in stored JSON. */
  get metadataStart(): number {
    return this.#storedStart.byteLength;
  }

  /** False for truncated values and for values written by other programs. */
  isStored(json: Buffer): boolean {
    const start = this.#storedStart;
    return json[start.byteLength] === QUOTE && json.at(-1) === CLOSE_BRACE && json.subarray(0, start.byteLength).equals(start);
  }

  itemLength(stored: Buffer, revision: number): number {
    return itemStartLength(revision) + stored.byteLength - this.metadataStart;
  }

  /** Writes the item into `target`, which must have room for `itemLength` bytes. Returns the end offset. */
  writeItem(target: Buffer, offset: number, stored: Buffer, revision: number): number {
    const at = writeItemStart(target, offset, revision);
    return at + stored.copy(target, at, this.metadataStart);
  }

  /** A new Buffer. */
  toItem(stored: Buffer, revision: number): Buffer {
    const item = Buffer.allocUnsafe(this.itemLength(stored, revision));
    this.writeItem(item, 0, stored, revision);
    return item;
  }

  /** A new Buffer. `revision` is that of the item. */
  toStored(item: Buffer, revision: number): Buffer {
    return Buffer.concat([this.#storedStart, item.subarray(itemStartLength(revision))]);
  }

  /** The single object as segments, without copying. */
  singleObject(item: Buffer): readonly Buffer[] {
    return [this.head, item.subarray(1)];
  }

  /** The single object from stored JSON as segments, without copying. */
  singleObjectOfStored(stored: Buffer, revision: number): readonly Buffer[] {
    const itemStart = Buffer.allocUnsafe(itemStartLength(revision));
    writeItemStart(itemStart, 0, revision);
    return [this.head, itemStart.subarray(1), stored.subarray(this.metadataStart)];
  }

  /** The item from the segments of a single object, without a resourceVersion if that has none. A new Buffer. */
  itemOfSingleObject(parts: readonly Buffer[]): Buffer {
    const item = Buffer.concat(parts).subarray(this.head.byteLength - 1);
    item[0] = OPEN_BRACE;
    return item;
  }
}

/** The length of an item after its revision is replaced. */
export const itemLengthAt = (itemLength: number, oldRevision: number, revision: number): number =>
  itemLength - digits(oldRevision) + digits(revision);

/** Writes `item` with `revision` instead of `oldRevision`. Returns the end offset. */
export function writeItemAt(target: Buffer, offset: number, item: Buffer, oldRevision: number, revision: number): number {
  const at = writeItemStart(target, offset, revision);
  return at + item.copy(target, at, itemStartLength(oldRevision));
}

/** The end offset of the metadata in an item, found without parsing. */
export function metadataEnd(item: Buffer): number {
  let depth = 0;
  for (let at = METADATA_VALUE; at < item.length; at++) {
    const byte = item[at];
    if (byte === QUOTE) at = closingQuote(item, at);
    else if (byte === OPEN_BRACE) depth++;
    else if (byte === CLOSE_BRACE && --depth === 0) return at + 1;
  }
  return item.length;
}

/** Undefined for an object that was never stored, as in a response to a dry run. */
export function resourceVersionOf(item: Buffer): string | undefined {
  const start = ITEM_START.length;
  if (!item.subarray(0, start).equals(ITEM_START)) return undefined;
  return item.toString('latin1', start, item.indexOf(QUOTE, start));
}

const digits = (revision: number): number => String(revision).length;

const itemStartLength = (revision: number): number => ITEM_START.length + digits(revision) + 2;

function writeItemStart(target: Buffer, offset: number, revision: number): number {
  let at = offset + ITEM_START.copy(target, offset);
  at += target.write(String(revision), at, 'latin1');
  target[at++] = QUOTE;
  target[at++] = COMMA;
  return at;
}

function closingQuote(json: Buffer, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return json.length;
}
