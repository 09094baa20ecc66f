import { describe, expect, it } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { toAscii } from './to-ascii.ts';

describe('a program in ASCII', () => {
  it('means the same', () => {
    const source =
      '/* § */ const µ = { unit: "µs – 😀", matches: /^(µ|😀)+$/.test("µ😀"), of: /^.$/u.test("😀"), in: `${1}§` }; JSON.stringify(µ)';
    const ascii = toAscii(source);
    expect(ascii).toMatch(/^[\x20-\x7e]*$/);
    expect(runInNewContext(ascii)).toBe(runInNewContext(source));
  });
});
