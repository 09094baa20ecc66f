/** Encodes watch events as lines of JSON or as events of a representation. */
import { itemLengthAt, type ObjectEncoding, writeItemAt } from '../../apimachinery/meta/object-encoding.ts';
import type { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Revision } from '../../storage/backend.ts';
import type { ComposedObject, Representation, WatchEventType } from '../representations/representation.ts';
import type { Entry } from '../store/entry.ts';
import type { CachedResource } from '../watch-cache.ts';

const LINE_END = Buffer.from('}\n');
const CLOSE_BRACE = Buffer.from('}');
const OPEN_BRACE = Buffer.from('{');

export interface EncodedEvent {
  readonly bytes: Buffer;
  /** Milliseconds since the epoch. */
  readonly validUntil: number;
}

export interface EventStates {
  readonly revision: Revision;
  readonly previous: Entry | undefined;
  readonly current: Entry | undefined;
}

/** The object of an event in a representation, cached if possible. */
export type ObjectIn = (entry: Entry, representation: Representation, at: number) => ComposedObject;

export class EventEncoder {
  readonly #resource: Pick<CachedResource, 'encoding' | 'bookmarkTail'>;
  readonly #objectIn: ObjectIn;
  /** The constant prefix of lines, up to the metadata. */
  readonly #lineStarts: Readonly<Record<WatchEventType, Buffer>>;

  constructor(resource: Pick<CachedResource, 'encoding' | 'bookmarkTail'>, objectIn: ObjectIn) {
    this.#resource = resource;
    this.#objectIn = objectIn;
    this.#lineStarts = {
      ADDED: lineStart('ADDED', resource.encoding),
      MODIFIED: lineStart('MODIFIED', resource.encoding),
      DELETED: lineStart('DELETED', resource.encoding),
    };
  }

  /** DELETED shows the previous state with the revision of the change. */
  encode(event: EventStates, type: WatchEventType, representation: Representation | undefined): EncodedEvent {
    const entry = type === 'DELETED' ? event.previous : event.current;
    if (entry === undefined) throw new Error(`a ${type} event without an object`);
    if (representation === undefined) {
      const bytes = type === 'DELETED' ? this.#deletedLine(entry, event.revision) : this.#line(type, entry);
      return { bytes, validUntil: Infinity };
    }
    const at = representation.now();
    const { bytes, validUntil } =
      type === 'DELETED' ? representation.eventObject(itemAt(entry, event.revision), at) : this.#objectIn(entry, representation, at);
    return { bytes: eventOf(type, bytes, representation), validUntil };
  }

  /** Length of the line of an ADDED event. */
  addedLength(entry: Entry): number {
    return this.#lineStarts.ADDED.length + entry.size - 1 + LINE_END.length;
  }

  /** ADDED for each entry in one Buffer. `byteLength`: the sum of `addedLength`. */
  addedLines(entries: readonly Entry[], byteLength: number): Buffer {
    const lines = Buffer.allocUnsafeSlow(byteLength);
    let offset = 0;
    for (const entry of entries) offset = writeLine(lines, offset, this.#lineStarts.ADDED, entry);
    return lines;
  }

  /** An object with only the revision up to which the stream is complete, and optionally one annotation. */
  bookmark(revision: Revision, representation: Representation | undefined, annotation?: string): Buffer {
    const { encoding, bookmarkTail = CLOSE_BRACE } = this.#resource;
    const annotations = annotation === undefined ? '' : `,"annotations":{${JSON.stringify(annotation)}:"true"}`;
    const metadata = Buffer.from(`"metadata":{"resourceVersion":"${revision}"${annotations}}`);
    if (representation === undefined) return eventOf('BOOKMARK', Buffer.concat([encoding.head, metadata, bookmarkTail]));
    const { bytes } = representation.eventObject(Buffer.concat([OPEN_BRACE, metadata, bookmarkTail]), representation.now());
    return eventOf('BOOKMARK', bytes, representation);
  }

  #line(type: WatchEventType, entry: Entry): Buffer {
    const start = this.#lineStarts[type];
    const line = Buffer.allocUnsafeSlow(start.length + entry.size - 1 + LINE_END.length);
    writeLine(line, 0, start, entry);
    return line;
  }

  #deletedLine(entry: Entry, revision: Revision): Buffer {
    const start = this.#lineStarts.DELETED;
    const line = Buffer.allocUnsafeSlow(start.length + itemLengthAt(entry.size, entry.revision, revision) - 1 + LINE_END.length);
    // The item's `{` is written to the last byte of the prefix and then overwritten.
    const at = writeItemAt(line, start.length - 1, entry.itemBytes, entry.revision, revision);
    start.copy(line, 0);
    LINE_END.copy(line, at);
    return line;
  }
}

/** The event that ends a stream. In JSON streams of a representation the Status is unchanged. */
export const errorEvent = (error: StatusError, representation: Representation | undefined): Buffer =>
  eventOf('ERROR', representation?.stream?.error(error) ?? Buffer.from(JSON.stringify(error.toStatus())), representation);

export const eventOf = (type: WatchEventType | 'BOOKMARK' | 'ERROR', object: Buffer, representation?: Representation): Buffer =>
  representation?.stream?.event(type, object) ?? Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, LINE_END]);

const lineStart = (type: WatchEventType, { head }: ObjectEncoding): Buffer =>
  Buffer.concat([Buffer.from(`{"type":"${type}","object":`), head]);

function writeLine(target: Buffer, offset: number, start: Buffer, entry: Entry): number {
  let at = offset + start.copy(target, offset);
  at += entry.copyTo(target, at, 1);
  return at + LINE_END.copy(target, at);
}

/** The item with another revision. */
function itemAt(entry: Entry, revision: Revision): Buffer {
  const item = Buffer.allocUnsafeSlow(itemLengthAt(entry.size, entry.revision, revision));
  writeItemAt(item, 0, entry.itemBytes, entry.revision, revision);
  return item;
}
