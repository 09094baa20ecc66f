import { describe, expect, it } from '@jest/globals';
import { SEQUENCE_MARKER, sequenceText } from './sample-object.ts';
import { SequenceScanner } from './sequence-scanner.ts';

const event = (sequence: number) =>
  `{"type":"MODIFIED","object":{"metadata":{"annotations":{${SEQUENCE_MARKER}${sequenceText(sequence)}"}}}}\n`;

function scan(text: string, size = text.length): SequenceScanner & { seen: number[] } {
  const seen: number[] = [];
  const scanner = new SequenceScanner((sequence) => seen.push(sequence));
  for (let at = 0; at < text.length; at += size) {
    const piece = Buffer.from(text.slice(at, at + size));
    scanner.feed(piece, 0, piece.length);
  }
  return Object.assign(scanner, { seen });
}

describe('SequenceScanner', () => {
  it.each([1, 10, 64, 1000])('sees every event once, read in pieces of %i bytes', (size) => {
    const scanned = scan([1, 2, 3, 4, 5].map(event).join(''), size);
    expect(scanned.seen).toEqual([1, 2, 3, 4, 5]);
    expect(scanned).toMatchObject({ delivered: 5, lost: 0, doubled: 0, errors: 0 });
  });

  it('counts what is missing', () => {
    expect(scan([1, 4, 5].map(event).join(''))).toMatchObject({ delivered: 3, lost: 2, doubled: 0, last: 5 });
  });

  it('counts what comes again or late', () => {
    expect(scan([1, 2, 2, 1, 3].map(event).join(''))).toMatchObject({ delivered: 3, lost: 0, doubled: 2 });
  });

  it('counts errors and passes over bookmarks', () => {
    expect(scan(`${event(1)}{"type":"BOOKMARK","object":{}}\n{"type":"ERROR","object":{}}\n`)).toMatchObject({ delivered: 1, errors: 1 });
  });
});
