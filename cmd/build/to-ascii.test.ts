import { describe, expect, it } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { toAscii } from './to-ascii.ts';

describe('a program in ASCII', () => {
  it('means the same', () => {
    const source =
      '/* § */ const µ = { unit: "µs – x", matches: /^(µ|μ)+$/.test("µμ"), of: /^.$/u.test("µ"), in: `${1}§` }; JSON.stringify(µ)';
    const ascii = toAscii(source);
    expect(ascii).toMatch(/^[\x20-\x7e]*$/);
    expect(runInNewContext(ascii)).toBe(runInNewContext(source));
  });

  it.each([
    ['a backslash in front', '/\\µ/'],
    ['two halves', 'const 𝒳 = 1'],
    ['an end of line', '// a\u2028b()'],
  ])('is refused where an escape would mean something else: %s', (_, source) => {
    expect(() => toAscii(source)).toThrow('may mean something else');
  });
});
