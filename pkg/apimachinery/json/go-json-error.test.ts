import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { goJsonObjectError } from './go-json-error.ts';

const errorOf = (text: string) => goJsonObjectError(Buffer.from(text));

// Computed with Go 1.26, by json.Unmarshal into a map[string]interface{}.
const ERRORS: readonly (readonly [text: string, error: string])[] = [
  ['', 'unexpected end of JSON input'],
  [' ', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a"', 'unexpected end of JSON input'],
  ['{"a":1', 'unexpected end of JSON input'],
  ['"abc', 'unexpected end of JSON input'],
  ['nul', "invalid character ' ' in literal null (expecting 'l')"],
  ['tr', "invalid character ' ' in literal true (expecting 'u')"],
  ['-', "invalid character ' ' in numeric literal"],
  ['"a\\', "invalid character ' ' in string escape code"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{a}', "invalid character 'a' looking for beginning of object key string"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['{"a":1"b":2}', `invalid character '"' after object key:value pair`],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{"a":[{"b":}]}', "invalid character '}' looking for beginning of value"],
  ['{}x', "invalid character 'x' after top-level value"],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
  ['{"a":1e}', "invalid character '}' in exponent of numeric literal"],
  ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
  ['{"a":"\\u12g4"}', "invalid character 'g' in \\u hexadecimal character escape"],
  ['{"a":"\u0001"}', "invalid character '\\x01' in string literal"],
  ['\u007f', "invalid character '\\x7f' looking for beginning of value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['{\n"a":é}', "invalid character 'Ã' looking for beginning of value"],
  ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ['"x"', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
  ['5', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
  ['true', 'json: cannot unmarshal bool into Go value of type map[string]interface {}'],
  ['{"a":1e999,"b":2e999}', 'json: cannot unmarshal number 1e999 into Go value of type float64'],
  ['['.repeat(10_001), "invalid character '[' exceeded max depth"],
  ['{"a":'.repeat(10_000), 'unexpected end of JSON input'],
];

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}

describe('The errors of encoding/json', () => {
  it.each(ERRORS)('of %j', (text, error) => {
    expect(errorOf(text)).toBe(error);
  });

  it.each(['{}', ' {"a":[1,{"b":null},[]],"c":"\\u00e4\\n"} \n', 'null', '{"a":-0.5e-10}', '{"":{}}', '{"a":1e-999}'])(
    'has none for %j',
    (text) => {
      expect(errorOf(text)).toBeUndefined();
    },
  );

  it('takes what is not UTF-8', () => {
    expect(goJsonObjectError(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBeUndefined();
  });

  it('takes and refuses what JSON.parse does', () => {
    const token = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', 'true', 'null', '1', '-2.5e3', ' ', '"', '\\');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(token).map((tokens) => tokens.join('')),
          fc.json(),
        ),
        (text) => {
          expect(errorOf(text) === undefined).toBe(isObjectText(text));
        },
      ),
    );
  });
});
