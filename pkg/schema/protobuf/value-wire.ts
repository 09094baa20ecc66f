/** How values of one type are written and read. What is length-delimited includes its length, nothing includes its tag. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { MessageReader } from './message-reader.ts';
import type { MessageWriter } from './message-writer.ts';
import type { WireType } from './wire-type.ts';

export interface ValueWire {
  readonly wireType: WireType;
  /** What a value that is absent, and must stand for something, is. `null`: an empty message. */
  readonly zero: JsonValue;
  /** Throws for a value of another type than the shape says: objects are checked before they are written. */
  write(out: MessageWriter, value: JsonValue): void;
  /** `null`: as if it were absent. `before`: what the message already had under the same field, to be merged with or replaced. */
  read(from: MessageReader, before?: JsonValue): JsonValue;
}

/** A bug: nothing is stored or answered without a check of its types. */
export const unexpectedValue = (expected: string, value: JsonValue): TypeError =>
  new TypeError(`cannot be written as protobuf: ${expected} is expected, not ${value === null ? 'null' : `a ${typeof value}`}`);
