/** Reads and writes values of one type. Length-delimited values include their length, but no value includes its tag. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { MessageReader } from './message-reader.ts';
import type { MessageWriter } from './message-writer.ts';
import type { WireType } from './wire-type.ts';

export interface ValueCodec {
  readonly wireType: WireType;
  /** Written for an absent value that must be present. `null`: an empty message. */
  readonly zero: JsonValue;
  /** Throws if the value does not match its type; objects are validated before they are written. */
  write(out: MessageWriter, value: JsonValue): void;
  /** `null` means absent. `before`: the earlier value of the same field, to be merged or replaced. */
  read(from: MessageReader, before?: JsonValue): JsonValue;
}

/** Indicates a bug: objects are validated before they are stored or sent. */
export const unexpectedValue = (expected: string, value: JsonValue): TypeError =>
  new TypeError(`cannot be encoded as protobuf: ${expected} is expected, not ${value === null ? 'null' : `a ${typeof value}`}`);
