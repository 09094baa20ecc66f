import type { Revision } from '../../storage/backend.ts';
import type { Key } from '../../storage/keys.ts';
import type { Entry } from '../store/entry.ts';
import { itemLengthAt, writeItemAt } from '../../apimachinery/meta/object-encoding.ts';
import { isSelectedAlike, type Matcher } from '../selection.ts';
import type { ContextFreeRepresentation, ComposedObject, Representation, WatchEventType } from '../watch-cache.ts';

const LINE_END = Buffer.from('}\n');
/** What an event costs besides the bytes of objects. */
const EVENT_BYTES = 256;

/** The constant parts of a resource's JSON lines. */
export interface LineStarts {
  readonly ADDED: Buffer;
  readonly MODIFIED: Buffer;
  readonly DELETED: Buffer;
}

/** `head`: the object's first bytes, up to the metadata. */
export function createLineStarts(head: Buffer): LineStarts {
  const start = (type: WatchEventType) => Buffer.concat([Buffer.from(`{"type":"${type}","object":`), head]);
  return { ADDED: start('ADDED'), MODIFIED: start('MODIFIED'), DELETED: start('DELETED') };
}

export interface EventContent {
  readonly revision: Revision;
  readonly key: Key;
  /** As CachedChange has it. */
  readonly token: string | undefined;
  readonly previous: Entry | undefined;
  readonly current: Entry | undefined;
  /** Milliseconds since the epoch, of its arrival. */
  readonly at: number;
}

/** Bytes of lines in derived representations that the events of a ring remember. */
export interface RepresentationBytes {
  bytes: number;
}

interface RepresentationLine {
  readonly representation: Representation;
  readonly type: WatchEventType;
  readonly line: Buffer;
  readonly validUntil: number;
}

/**
 * One change of one object. Events representation a list in the order of revisions: whoever holds one can walk on to all that came later, so a reader that
 * lags needs no queue of its own.
 */
export class CacheEvent implements EventContent {
  readonly revision: Revision;
  readonly key: Key;
  readonly token: string | undefined;
  /** The state before, as far as a selector may tell it from the one after: else the same as `current`. */
  readonly previous: Entry | undefined;
  readonly current: Entry | undefined;
  readonly at: number;
  /** Counts the events of the resource. */
  readonly sequence: number;
  /** Bytes of all events up to this one. */
  readonly through: number;
  next: CacheEvent | undefined = undefined;
  #added: Buffer | undefined;
  #modified: Buffer | undefined;
  #deleted: Buffer | undefined;
  #derived: readonly RepresentationLine[] | undefined;
  #representationBytes: RepresentationBytes | undefined;
  #isInRing = true;

  /** `representationBytes`: of the ring that it is in. */
  constructor(content: EventContent, before: CacheEvent | undefined, representationBytes?: RepresentationBytes) {
    this.revision = content.revision;
    this.key = content.key;
    this.token = content.token;
    const { previous, current } = content;
    // A state that no selector tells from the one after it is shown by no watch, and not kept alive for it.
    this.previous = isSelectedAlike(previous, current) ? current : previous;
    this.current = content.current;
    this.at = content.at;
    this.sequence = before === undefined ? 0 : before.sequence + 1;
    this.through = (before?.through ?? 0) + this.bytes;
    this.#representationBytes = representationBytes;
    this.current?.keep();
    if (this.previous !== this.current) this.previous?.keep();
  }

  /** What it keeps alive, about: the state before, if that may have to be shown, and one JSON line. */
  get bytes(): number {
    const before = this.previous === this.current ? 0 : (this.previous?.size ?? 0);
    return EVENT_BYTES + before + (this.current?.size ?? this.previous?.size ?? 0);
  }

  /** What a watch of this selection sees of it; undefined: nothing. */
  typeFor(matcher: Matcher): WatchEventType | undefined {
    const had = this.previous !== undefined && matcher.matches(this.previous);
    const has = this.current !== undefined && matcher.matches(this.current);
    if (has) return had ? 'MODIFIED' : 'ADDED';
    return had ? 'DELETED' : undefined;
  }

  /** The JSON line, made once and shared by every stream; behind the ring, made for each. Only for a type that `typeFor` gave. */
  line(type: WatchEventType, starts: LineStarts): Buffer {
    if (!this.#isInRing) {
      return type === 'DELETED' ? lastStateLine(starts.DELETED, this.previous, this.revision) : objectLine(starts[type], this.current);
    }
    switch (type) {
      case 'ADDED':
        return (this.#added ??= objectLine(starts.ADDED, this.current));
      case 'MODIFIED':
        return (this.#modified ??= objectLine(starts.MODIFIED, this.current));
      case 'DELETED':
        return (this.#deleted ??= lastStateLine(starts.DELETED, this.previous, this.revision));
    }
  }

  /** The same in another representation; made anew when it would differ. `singleObjectOf`: from what is lookup of the entry. */
  representationLine(type: WatchEventType, representation: Representation, singleObjectOf: SingleObjectOf): Buffer {
    const at = representation.now();
    const known = this.#derived?.find((line) => line.representation === representation && line.type === type);
    if (known !== undefined && at < known.validUntil) return known.line;
    const made =
      type === 'DELETED'
        ? lastObject(this.previous, this.revision, representation, at)
        : objectOf(this.current, representation, at, singleObjectOf);
    if (made === undefined) return Buffer.alloc(0);
    const { bytes, validUntil } = made;
    const line = eventLine(type, bytes, representation);
    if (!this.#isInRing) return line;
    this.#derived = [...(this.#derived ?? []).filter((other) => other !== known), { representation, type, line, validUntil }];
    if (this.#representationBytes !== undefined) this.#representationBytes.bytes += line.length - (known?.line.length ?? 0);
    return line;
  }

  /** The ring has dropped it. Whoever lags so far behind keeps it alive, but not the lines that others were written. */
  leave(): void {
    if (this.#representationBytes !== undefined) for (const { line } of this.#derived ?? []) this.#representationBytes.bytes -= line.length;
    this.#representationBytes = undefined;
    this.#isInRing = false;
    this.current?.release();
    if (this.previous !== this.current) this.previous?.release();
    this.#added = this.#modified = this.#deleted = this.#derived = undefined;
  }
}

/** The entry singleObject, of what the cache remembers of it in the representation; undefined when it is not in the cache any more. */
export type SingleObjectOf = (entry: Entry, representation: ContextFreeRepresentation) => Buffer | undefined;

/** The `object` of an event that shows the entry. */
export function objectOf(
  entry: Entry | undefined,
  representation: Representation,
  at: number,
  singleObjectOf: SingleObjectOf,
): ComposedObject | undefined {
  if (entry === undefined) return undefined;
  const singleObject = representation.isContextFree === true ? singleObjectOf(entry, representation) : undefined;
  return singleObject === undefined ? representation.eventObject(entry.itemBytes, at) : { bytes: singleObject, validUntil: Infinity };
}

const lastObject = (
  entry: Entry | undefined,
  revision: Revision,
  representation: Representation,
  at: number,
): ComposedObject | undefined => (entry === undefined ? undefined : representation.eventObject(lastState(entry, revision), at));

export const eventLine = (type: WatchEventType | 'BOOKMARK' | 'ERROR', object: Buffer, representation?: Representation): Buffer =>
  representation?.stream?.event(type, object) ?? Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, LINE_END]);

/** The list representation of the state before the write, with the resourceVersion of the write. */
function lastState(entry: Entry, revision: Revision): Buffer {
  const state = Buffer.allocUnsafeSlow(itemLengthAt(entry.size, entry.revision, revision));
  writeItemAt(state, 0, entry.itemBytes, entry.revision, revision);
  return state;
}

const objectLine = (start: Buffer, entry: Entry | undefined): Buffer => {
  if (entry === undefined) return Buffer.alloc(0);
  const line = Buffer.allocUnsafeSlow(lineLength(start, entry));
  writeLine(line, 0, start, entry);
  return line;
};

export const lineLength = (start: Buffer, entry: Entry): number => start.length + entry.size - 1 + LINE_END.length;

/** Writes the line into `target` at `offset`; returns the offset behind it. */
export function writeLine(target: Buffer, offset: number, start: Buffer, entry: Entry): number {
  let at = offset + start.copy(target, offset);
  at += entry.copyTo(target, at, 1);
  return at + LINE_END.copy(target, at);
}

/** The state before the write, with the resourceVersion of the write: what a deletion shows, and an object that leaves a selection. */
function lastStateLine(start: Buffer, entry: Entry | undefined, revision: Revision): Buffer {
  if (entry === undefined) return Buffer.alloc(0);
  const length = start.length + itemLengthAt(entry.size, entry.revision, revision) - 1 + LINE_END.length;
  const line = Buffer.allocUnsafeSlow(length);
  // The list representation's `{` lands where the start's last byte, a comma, is then written over it.
  const at = writeItemAt(line, start.length - 1, entry.itemBytes, entry.revision, revision);
  start.copy(line, 0);
  LINE_END.copy(line, at);
  return line;
}
