import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const fromRoot = (path: string) => new URL(`../../${path}`, import.meta.url);
const text = readFileSync(fromRoot('docs/security.md'), 'utf8');
const [, table = ''] = /<!-- guards -->([^]*)<!-- \/guards -->/.exec(text) ?? [];
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );

const TEST = /^`(\S+\.test\.ts)`: (.+)$/;

/** Titles as they stand in the sources. */
const hasTitle = (path: string, title: string): boolean =>
  existsSync(fromRoot(path)) && ["'", '"', '`'].some((quote) => readFileSync(fromRoot(path), 'utf8').includes(`${quote}${title}${quote}`));

describe('The vulnerabilities in docs/security.md', () => {
  it('have a name, what happens, the guard and its test', () => {
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell === ''))).toEqual([]);
    const ids = rows.flatMap(([names = '']) => names.split(', '));
    expect(ids.filter((id) => !/^(CVE-\d{4}-\d{4,7}|CWE-\d+)$/.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(rows.map(([names = '', , , test = '']) => [names, test]))('%s: the test exists: %s', (_, named) => {
    const [, path = '', title = ''] = TEST.exec(named) ?? [];
    expect([path, title, hasTitle(path, title)]).toEqual([expect.stringMatching(/^(cmd|pkg|test)\//), expect.stringMatching(/./), true]);
  });
});
