import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { quote } from './write-json.ts';

// Computed with Go's json.Marshal.
describe('Quoted text', () => {
  it.each([
    ['', '""'],
    ['Opaque', '"Opaque"'],
    ['a<b>&"c"\\', '"a\\u003cb\\u003e\\u0026\\"c\\"\\\\"'],
    ['\u0000\u001f\u007f\b\f\n\r\t', '"\\u0000\\u001f\u007f\\b\\f\\n\\r\\t"'],
    ['\u2028ä\u2029😀', '"\\u2028ä\\u2029😀"'],
  ])('%j is %s', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  it('is well-formed and read back, with a lone surrogate as U+FFFD', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(quote(text))).toBe(text.toWellFormed());
      }),
    );
    expect(quote('\ud800<')).toBe('"\ufffd\\u003c"');
  });
});
