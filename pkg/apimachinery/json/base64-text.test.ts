import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { base64Length, normalizeBase64 } from './base64-text.ts';

describe('Base64', () => {
  it.each([
    ['', ''],
    ['YQ==', 'YQ=='],
    ['YR==', 'YQ=='],
    ['Yf==', 'YQ=='],
    ['YWI=', 'YWI='],
    ['YWJ=', 'YWI='],
    ['YWJj', 'YWJj'],
    ['Y\nW\r\nI=', 'YWI='],
    ['YQ=\n=\r', 'YQ=='],
    ['////', '////'],
    ['=', '='],
    ['==', '=='],
    ['é=', 'é='],
  ])('%j is written as %j', (text, normalized) => {
    expect(normalizeBase64(text)).toBe(normalized);
  });

  it('has one text for the same bytes, wherever the line breaks are', () => {
    const broken = fc.tuple(fc.uint8Array(), fc.constantFrom('', '\n', '\r\n'), fc.integer({ min: 1, max: 7 }));
    fc.assert(
      fc.property(broken, ([bytes, lineBreak, width]) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(normalizeBase64(text.replaceAll(new RegExp(`.{${width}}`, 'g'), `$&${lineBreak}`))).toBe(text);
        expect(base64Length(text)).toBe(bytes.byteLength);
      }),
    );
  });
});
