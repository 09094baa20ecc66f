import { describe, expect, it } from '@jest/globals';
import { cellsOf, widthOf } from './cells.ts';
import { excerptOf } from './excerpt.ts';

const same = (text: string) => text;

/** Points at the `^…` below the text that is between two `|`. */
function shown(marked: string, columns = 60): readonly string[] {
  const column = marked.indexOf('|') + 1;
  return excerptOf(marked.replaceAll('|', ''), { line: 7, column }, { columns, gutter: same, pointer: same }).split('\n');
}

/** The text above the carets. */
function underlined(text: string, pointer: string): string {
  let column = 0;
  const above = cellsOf(text).filter(({ width }) => pointer.charAt((column += width) - width) === '^');
  return above.map((cell) => cell.text).join('');
}

const long = (of: string) => Array.from({ length: 40 }, (_, index) => `${of}${index}`).join(' ');

describe('excerptOf', () => {
  it.each([
    ['a word', '  Controllers|: [a]', ['  7 |   Controllers: [a]', '    |              ^', '']],
    ['what is quoted', `x: |'a b, c', d`, [`  7 | x: 'a b, c', d`, '    |    ^^^^^^^^', '']],
    ['a value with a comma in it', 'x: |12,500 # y', ['  7 | x: 12,500 # y', '    |    ^^^^^^', '']],
    ['an element of a list, without the comma behind it', '[|a,b]', ['  7 | [a,b]', '    |  ^', '']],
    ['what is quoted, as far as it is here', 'x: |"a b', ['  7 | x: "a b', '    |    ^^^^', '']],
    ['the end of a line', 'x:|', ['  7 | x:', '    |   ^', '']],
    ['what is behind a tab', '\tx:\t|5', ['  7 |  x: 5', '    |     ^', '']],
    ['what is behind wide characters', '日本: |5 # ｆ', ['  7 | 日本: 5 # ｆ', '    |       ^', '']],
    ['wide characters', 'x: |"日本" # 語', ['  7 | x: "日本" # 語', '    |    ^^^^^^', '']],
    ['what is behind marks', 'e\u0301\u0302: |5', ['  7 | e\u0301\u0302: 5', '    |    ^', '']],
    ['what is behind a picture of two', '👩\u200d🚀: |5', ['  7 | 👩🚀: 5', '    |       ^', '']],
    ['what is behind half a pair', '\ud83d: |5', ['  7 | \ufffd: 5', '    |    ^', '']],
    ['what is behind what turns text around', '\u202ea\u001b[2J: |5', ['  7 |  a [2J: 5', '    |         ^', '']],
  ])('points at %s', (_, marked, lines) => expect(shown(marked)).toEqual(lines));

  it('shows nothing of a line that there is not, or that is blank', () => {
    expect(excerptOf(undefined, { line: 3, column: 1 }, { columns: 60, gutter: same, pointer: same })).toBe('');
    expect(excerptOf('  ', { line: 3, column: 1 }, { columns: 60, gutter: same, pointer: same })).toBe('');
  });

  it.each([20, 40, 60, 100])('cuts what is longer to %i columns, and points at the same word', (columns) => {
    for (const before of ['', 'x: ', `${long('before')} `, `${'日本語'.repeat(30)} `]) {
      for (const after of ['', ' # y', ` ${long('after')}`, ` ${'日本語'.repeat(30)}`]) {
        const [text = '', pointer = ''] = shown(`${before}|wrong${after}`, columns);
        expect(widthOf(cellsOf(text))).toBeLessThanOrEqual(columns);
        expect(underlined(text, pointer)).toBe('wrong');
      }
    }
  });

  it('takes the room that there is', () => {
    const [text = '', pointer = ''] = shown(`${long('before')} |wrong ${long('after')}`);
    expect(underlined(text, pointer)).toBe('wrong');
    expect(widthOf(cellsOf(text))).toBe(60);
    expect(shown(`a: |5 ${long('b')}`)[0]).toBe(`  7 | a: 5 ${long('b').slice(0, 48)}…`);
    expect(shown(`${long('b')} |5`)[0]).toBe(`  7 | …${long('b').slice(-51)} 5`);
  });

  it('is quick with a line that is a whole file', () => {
    const line = `{${'"a": "\u{1f44d}", '.repeat(100_000)}}`;
    const start = performance.now();
    for (let column = 1; column < line.length; column += 1000)
      excerptOf(line, { line: 1, column }, { columns: 80, gutter: same, pointer: same });
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
