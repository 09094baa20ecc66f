import { describe, expect, it } from '@jest/globals';
import { quotedText } from './quoted-text.ts';

// Computed with Go's strconv.Quote.
const QUOTED: readonly [string, string][] = [
  ['spec.schedul', '"spec.schedul"'],
  ['', '""'],
  ['spec.fo"o', '"spec.fo\\"o"'],
  ['a\\b', '"a\\\\b"'],
  ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['\u0000\u001b\u007f', '"\\x00\\x1b\\x7f"'],
  ['\u0080\u00a0\u00ad\u200b\u2028\ufeff', '"\\u0080\\u00a0\\u00ad\\u200b\\u2028\\ufeff"'],
  ['\u{e0001}\u{f0000}', '"\\U000e0001\\U000f0000"'],
  ["größe 时 \u{1f600} '", '"größe 时 \u{1f600} \'"'],
];

describe('Quoted text', () => {
  it.each(QUOTED)('%j is %s', (text, quoted) => {
    expect(quotedText(text)).toBe(quoted);
  });
});
