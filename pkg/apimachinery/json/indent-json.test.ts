import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indentJson, JsonIndenter } from './indent-json.ts';

/** The output for input in chunks of these lengths, repeated. */
function inPieces(text: string, lengths: readonly number[]): string {
  const bytes = Buffer.from(text);
  const indenter = new JsonIndenter();
  let output = '';
  for (let at = 0, turn = 0; at < bytes.byteLength; turn++) {
    const end = at + (lengths[turn % lengths.length] ?? 1);
    indenter.feed(bytes.subarray(at, end));
    for (let piece = indenter.read(); piece !== undefined; piece = indenter.read()) output += piece.toString('latin1');
    at = end;
  }
  return Buffer.from(output, 'latin1').toString('utf8');
}

describe('indented JSON', () => {
  it('keeps every token', () => {
    const tokens = '{"a":1.0,"b":9007199254740993,"c":-0,"d":1E+2,"e":"\\u00e9\\/\\"{[,:]}","f":[],"g":{},"h":[{},[]]}';
    expect(indentJson(Buffer.from(tokens)).toString()).toBe(
      [
        '{',
        '  "a": 1.0,',
        '  "b": 9007199254740993,',
        '  "c": -0,',
        '  "d": 1E+2,',
        '  "e": "\\u00e9\\/\\"{[,:]}",',
        '  "f": [],',
        '  "g": {},',
        '  "h": [',
        '    {},',
        '    []',
        '  ]',
        '}',
      ].join('\n'),
    );
  });

  it('has no newline at its end, though the compact text has one', () => {
    expect(indentJson(Buffer.from('{"a":"b"}\n')).toString()).toBe('{\n  "a": "b"\n}');
  });

  it('is what JSON.stringify indents, however the text is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }), (value, lengths) => {
        expect(inPieces(JSON.stringify(value), lengths)).toBe(JSON.stringify(value, undefined, 2));
      }),
    );
  });

  it('is written in chunks of bounded size at any depth', () => {
    const deep = `${'['.repeat(256)}${'[],'.repeat(20_000)}[]${']'.repeat(256)}`;
    const indenter = new JsonIndenter();
    indenter.feed(Buffer.from(deep));
    let total = 0;
    for (let piece = indenter.read(); piece !== undefined; piece = indenter.read()) {
      expect(piece.byteLength).toBeGreaterThan(0);
      expect(piece.byteLength).toBeLessThanOrEqual(160 * 1024);
      total += piece.byteLength;
    }
    expect(total).toBe(Buffer.byteLength(JSON.stringify(JSON.parse(deep), undefined, 2)));
  });
});
