import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FrameReader } from './frame-reader.ts';
import { DEFAULT_FRAME_BYTES, frame, ProtocolError } from './frames.ts';

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** Text, because it is fast to compare. */
  readonly payload: string;
}

function createReader() {
  const frames: Frame[] = [];
  const reader = new FrameReader((type, flags, stream, buffer, start, end) =>
    frames.push({ type, flags, stream, payload: buffer.toString('latin1', start, end) }),
  );
  return { reader, frames };
}

describe('frames', () => {
  const sent = fc.record({
    type: fc.integer({ min: 0, max: 255 }),
    flags: fc.integer({ min: 0, max: 255 }),
    stream: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    payload: fc
      .oneof(fc.nat(40), fc.integer({ min: DEFAULT_FRAME_BYTES - 2, max: DEFAULT_FRAME_BYTES }))
      .map((length) => String.fromCharCode(length & 0xff).repeat(length)),
  });

  it('are read as written, however the bytes are split into chunks', () => {
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 8 }), fc.array(fc.oneof(fc.nat(12), fc.nat(40_000)), { maxLength: 30 }), (all, cuts) => {
        const bytes = Buffer.concat(
          all.map(({ type, flags, stream, payload }) => frame(type, flags, stream, Buffer.from(payload, 'latin1'))),
        );
        const { reader, frames } = createReader();
        let at = 0;
        for (const cut of cuts) {
          // Sockets reuse their buffers.
          const chunk = Buffer.from(bytes.subarray(at, at + cut));
          reader.push(chunk);
          chunk.fill(0xee);
          at += cut;
        }
        reader.push(bytes.subarray(at));
        expect(frames).toEqual(all);
      }),
    );
  });

  it('longer than allowed are refused before they are buffered', () => {
    const { reader } = createReader();
    expect(() => reader.push(frame(0, 0, 1, Buffer.alloc(DEFAULT_FRAME_BYTES + 1)).subarray(0, 9))).toThrow(ProtocolError);
    expect(() => createReader().reader.push(Buffer.from('HTTP/1.1 400 Bad Request\r\n'))).toThrow(ProtocolError);
  });
});
