import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { WatchFrameReader } from '../../../test/support/watch-frame-reader.ts';
import { parseEnvelope, writeEnvelope } from './envelope.ts';
import { watchFrame } from './watch-frame.ts';

const sealed = writeEnvelope({ apiVersion: 'v1', kind: 'Status' }, Buffer.from('aabbcc', 'hex'));

describe('a watch frame', () => {
  it('has a length of four bytes and a WatchEvent whose object has an envelope', () => {
    const event = `0a054144444544 121d 0a1b ${sealed.toString('hex')}`.replaceAll(' ', '');
    expect(watchFrame('ADDED', sealed).toString('hex')).toBe(`00000026${event}`);
    const [frame] = new WatchFrameReader().read(watchFrame('ADDED', sealed));
    expect(frame?.type).toBe('ADDED');
    expect(parseEnvelope(frame?.sealed ?? Buffer.alloc(0))).toMatchObject({ kind: 'Status', raw: Buffer.from('aabbcc', 'hex') });
  });

  it('can be split and concatenated', () => {
    const event = fc.record({ type: fc.constantFrom('ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'), size: fc.nat({ max: 400 }) });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), fc.array(fc.nat({ max: 300 }), { maxLength: 20 }), (events, sizes) => {
        const expected = events.map(({ type, size }) => ({ type, sealed: Buffer.alloc(size, 7) }));
        const stream = Buffer.concat(expected.map((frame) => watchFrame(frame.type, frame.sealed)));
        const reader = new WatchFrameReader();
        const frames = [];
        let at = 0;
        for (const size of sizes) {
          frames.push(...reader.read(stream.subarray(at, at + size)));
          at += size;
        }
        frames.push(...reader.read(stream.subarray(at)));
        expect(frames).toEqual(expected);
        expect(reader.isAtEnd).toBe(true);
      }),
      propertyRuns(100),
    );
  });
});
