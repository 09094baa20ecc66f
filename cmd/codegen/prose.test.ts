import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { generateConfig } from './config/generate.ts';
import { generateFlagDocs } from './flag-docs.ts';
import { readFacts } from './facts.ts';
import { generateKindDocs } from './kind-docs.ts';
import { generateMetricDocs } from './metric-docs.ts';
import { toSentenceLines } from './prose.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const pages = [
  ...generateFlagDocs(),
  ...generateMetricDocs(),
  ...generateKindDocs(readFacts(path.join(ROOT, 'pkg/apis'))),
  ...generateConfig(path.join(ROOT, 'pkg/config/kinds')).filter(({ path: file }) => file.endsWith('.md')),
];

describe('toSentenceLines', () => {
  it('gives each sentence a line of its own', () => {
    expect(toSentenceLines('One. Two: `a. B`! (Three.)\nFour, with\nmore.')).toBe('One.\nTwo: `a. B`!\n(Three.)\nFour, with more.');
  });

  it('breaks what is wider than 120 columns, never inside of code', () => {
    const word = 'x'.repeat(50);
    expect(toSentenceLines(`${word} ${word} \`${word} ${word}\` end`)).toBe(`${word} ${word}\n\`${word} ${word}\` end`);
  });

  it('breaks no link, and leaves bold text before its sentence', () => {
    const link = `[${'x '.repeat(30)}](y)`;
    expect(toSentenceLines(`One ${link} ${link}, **two.** Three.`)).toBe(`One ${link}\n${link}, **two.** Three.`);
  });

  it('indents the items of a list', () => {
    expect(toSentenceLines('- One. Two.\n  Three.\n- Four.\n\n1. One. Two.')).toBe('- One.\n  Two.\n  Three.\n- Four.\n\n1. One.\n   Two.');
  });

  it('begins no line with what would be a list or a heading', () => {
    const word = 'x'.repeat(118);
    expect(toSentenceLines(`${word} - y`)).toBe(`${word} -\ny`);
    expect(toSentenceLines('One. - is two. # is three.')).toBe('One. - is two. # is three.');
  });

  it('does not take an abbreviation, a version or a file for the end of a sentence', () => {
    expect(toSentenceLines('Of 1.36 on, a.b and etc. as they are.')).toBe('Of 1.36 on, a.b and etc. as they are.');
  });

  it('leaves tables, headings, comments and code alone', () => {
    const text = '<!-- One. Two. -->\n\n# One. Two.\n\n| One. Two. |\n| --- |\n\n```sh\n# One. Two.\n\n- One. Two.\n```\n';
    expect(toSentenceLines(text)).toBe(text);
  });

  it('changes nothing the second time', () => {
    for (const { text } of pages) expect(toSentenceLines(toSentenceLines(text))).toBe(toSentenceLines(text));
  });
});

describe('A page that is generated', () => {
  const prose = (text: string) => text.replaceAll(/^```.*?^```$/gms, '').split('\n');

  it.each(pages)('has no prose wider than 120 columns: $path', ({ text }) => {
    expect(prose(text).filter((line) => !line.startsWith('|') && line.length > 120)).toEqual([]);
  });

  it.each(pages)('has no paragraph in the cell of a table: $path', ({ text }) => {
    const cells = prose(text).flatMap((line) => (line.startsWith('|') ? line.split(/(?<!\\)\|/).map((cell) => cell.trim()) : []));
    const sentences = (cell: string) => cell.replaceAll(/`[^`]*`/g, 'x').match(/[.!?](?=\s|$)/g)?.length ?? 0;
    expect(cells.filter((cell) => cell.length > 210 || sentences(cell) > 4)).toEqual([]);
  });
});

it('The rules of each kind have a sentence a line where they are written, too.', () => {
  for (const { folder, rules } of readFacts(path.join(ROOT, 'pkg/apis')).files) {
    if (rules === undefined) continue;
    expect(toSentenceLines(readFileSync(path.join(ROOT, 'pkg/apis', folder, 'rules.md'), 'utf8'))).toBe(rules);
  }
});
