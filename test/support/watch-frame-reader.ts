/** Frames of a protobuf watch (`pkg/schema/protobuf/watch-frame.ts`) out of a stream of bytes that is cut anywhere. */
import { MessageReader } from '../../pkg/schema/protobuf/message-reader.ts';

const LENGTH_BYTES = 4;
const TYPE = 0x0a;
const OBJECT = 0x12;
const RAW = 0x0a;

export interface Frame {
  readonly type: string;
  /** In its envelope. */
  readonly sealed: Buffer;
}

export class WatchFrameReader {
  #pending: Buffer = Buffer.alloc(0);

  /** The frames that `chunk` completes. */
  read(chunk: Uint8Array): Frame[] {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    const frames: Frame[] = [];
    while (this.#pending.byteLength >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + this.#pending.readUInt32BE();
      if (this.#pending.byteLength < end) break;
      frames.push(toFrame(this.#pending.subarray(LENGTH_BYTES, end)));
      this.#pending = this.#pending.subarray(end);
    }
    return frames;
  }

  /** Whether all that was read belongs to whole frames. */
  get isAtEnd(): boolean {
    return this.#pending.byteLength === 0;
  }
}

function toFrame(message: Buffer): Frame {
  const from = new MessageReader(message);
  let type = '';
  let sealed: Buffer = Buffer.alloc(0);
  while (from.hasMore) {
    const tag = from.tag();
    if (tag === TYPE) type = from.text();
    else if (tag === OBJECT) sealed = rawOf(from);
    else throw new Error(`a watch event has the tag ${tag}`);
  }
  return { type, sealed };
}

function rawOf(from: MessageReader): Buffer {
  const outer = from.open();
  let raw: Buffer = Buffer.alloc(0);
  while (from.hasMore) {
    if (from.tag() !== RAW) throw new Error('an object of a watch event has a field that is not raw');
    raw = from.bytes();
  }
  from.close(outer);
  return raw;
}
