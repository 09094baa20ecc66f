import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FrameCutter, LineCutter } from './websocket-messages.ts';

/** `whole`, split at random places. */
const pieces = (whole: Buffer) =>
  fc
    .uniqueArray(fc.nat(whole.byteLength), { maxLength: 8 })
    .map((cuts) => [0, ...cuts.sort((a, b) => a - b), whole.byteLength])
    .map((cuts) => cuts.slice(1).map((end, at) => whole.subarray(cuts[at], end)));

describe('The messages of a WebSocket', () => {
  it('are the lines of a watch, however they were written', () => {
    const lines = ['{"type":"ADDED"}\n', '{"type":"MODIFIED","object":{"a":"é"}}\n', '\n', '{}\n'];
    fc.assert(
      fc.property(pieces(Buffer.from(lines.join(''))), (written) => {
        const cutter = new LineCutter();
        const messages = written.flatMap((bytes) => [...cutter.cut(bytes)].map((message) => Buffer.from(message).toString()));
        expect(messages).toEqual(lines);
      }),
      { seed: 1 },
    );
  });

  it('are the frames of a watch without their lengths, however they were written', () => {
    const bodies = ['', 'a', 'k8s\0', 'x'.repeat(300)];
    const frames = Buffer.concat(
      bodies.flatMap((body) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(body.length);
        return [length, Buffer.from(body)];
      }),
    );
    fc.assert(
      fc.property(pieces(frames), (written) => {
        const cutter = new FrameCutter();
        const messages = written.flatMap((bytes) => [...cutter.cut(bytes)].map((message) => Buffer.from(message).toString()));
        expect(messages).toEqual(bodies);
      }),
      { seed: 1 },
    );
  });

  it('are the bytes that were written, where a line was written alone', () => {
    const line = Buffer.from('{"type":"ADDED"}\n');
    const [message] = new LineCutter().cut(line);
    expect(message?.buffer).toBe(line.buffer);
  });
});
