import { describe, expect, it } from '@jest/globals';
import { warningHeader } from './warnings.ts';

describe('The Warning header', () => {
  it('has one line per text, each text once, quotes and backslashes escaped', () => {
    expect(warningHeader(['a "b" \\c', 'a "b" \\c', 'd'])).toEqual(['299 - "a \\"b\\" \\\\c"', '299 - "d"']);
  });

  it('leaves out texts with control characters', () => {
    expect(warningHeader(['a\nb', 'c'])).toEqual(['299 - "c"']);
  });

  it('cuts every text when all are too long together, and leaves out the rest', () => {
    const lines = warningHeader(Array.from({ length: 40 }, (_, i) => `${i} `.padEnd(1000, 'x')));
    expect(lines).toHaveLength(16);
    for (const line of lines) expect(line).toHaveLength('299 - ""'.length + 256);
  });

  it('counts and cuts whole characters', () => {
    const lines = warningHeader(Array.from({ length: 40 }, (_, i) => `${i}${'\u{1f600}'.repeat(300)}`));
    expect(lines).toHaveLength(16);
    for (const [i, line] of lines.entries())
      expect(Buffer.from(line, 'latin1').toString('utf8')).toBe(`299 - "${i}${'\u{1f600}'.repeat(256 - String(i).length)}"`);
  });

  it('writes text beyond ASCII as the bytes of its UTF-8 form', () => {
    expect(warningHeader(['é'])).toEqual([`299 - "${Buffer.from('é').toString('latin1')}"`]);
  });
});
