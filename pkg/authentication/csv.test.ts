import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCsv } from './csv.ts';

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

describe('CSV', () => {
  it.each([
    ['', []],
    ['\n\r\n\n', []],
    ['a', [['a']]],
    ['a,b\n', [['a', 'b']]],
    [
      'a,b\r\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a,', [['a', '']]],
    [',\n', [['', '']]],
    ['""\n', [['']]],
    ['"a,b","say ""hi"""', [['a,b', 'say "hi"']]],
    ['"two\nlines",x\n', [['two\nlines', 'x']]],
    [' a , b ', [[' a ', ' b ']]],
    ['a\rb,c', [['a\rb', 'c']]],
  ])('%j is %j', (text, records) => {
    expect(fieldsOf(text)).toEqual(records);
  });

  it('contains the first line of each record', () => {
    expect(parseCsv('a\n\n"b\nc"\nd\n').map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it.each([
    ['a"b', 1, 'a quote in an unquoted field'],
    ['ok\n"open', 2, 'not closed'],
    ['ok\n"a"b', 2, 'text after a closing quote'],
    ['"a\nb"c', 2, 'text after a closing quote'],
  ])('rejects %j in line %i', (text, line, message) => {
    expect(() => parseCsv(text)).toThrow(expect.objectContaining({ line, message: expect.stringContaining(message) }));
  });

  it('parses any written records', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'ü') });
    const write = (records: readonly (readonly string[])[]) =>
      records.map((fields) => fields.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join('\r\n');
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1 })), (records) => {
        expect(fieldsOf(write(records))).toEqual(records);
      }),
    );
  });
});
