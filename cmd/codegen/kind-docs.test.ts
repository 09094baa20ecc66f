import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readFacts } from './facts.ts';
import { generateKindDocs } from './kind-docs.ts';

const facts = readFacts(path.resolve(import.meta.dirname, '../../pkg/apis'));
const pages = new Map(generateKindDocs(facts).map(({ path: file, text }) => [file, text]));
const kinds = facts.files.flatMap(({ folder, resource }) => (resource === undefined ? [] : [{ folder, ...resource }]));
const pageOf = (name: string): string => pages.get(`docs/kinds/${name}.md`) ?? '';

describe('The pages of the kinds', () => {
  it.each(kinds)('tell the rules of a $kind and show one', ({ folder, plural }) => {
    const file = facts.files.find((each) => each.folder === folder);
    expect([file?.rules, file?.example]).toEqual([expect.stringMatching(/./), expect.stringMatching(/^kind: /m)]);
    expect(pageOf(plural)).toContain(file?.example?.trimEnd());
    expect(pages.get('docs/kinds.md')).toContain(`(kinds/${plural}.md)`);
  });

  it.each(kinds)('describe every field of a $kind', ({ plural }) => {
    const rows = pageOf(plural)
      .split('\n')
      .filter((line) => /^\| `[a-zA-Z]+`/.test(line));
    expect(rows.length).toBeGreaterThan(4);
    for (const row of rows) expect(row).toMatch(/\S+ \|$/);
  });

  it('show the defaults that the server fills in', () => {
    const cells = (name: string) =>
      pageOf('cronjobs')
        .split('\n')
        .find((line) => line.startsWith(`| \`${name}\``))
        ?.split(' | ');
    expect(cells('concurrencyPolicy')?.[2]).toBe('`"Allow"`');
    expect(cells('failedJobsHistoryLimit')?.[2]).toBe('`1`');
    expect(cells('backoffLimit')?.[2]).toBe('');
  });

  it('link to pages and headings that exist', () => {
    for (const [file, text] of pages) {
      for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
        if (target.startsWith('#')) expect(text.toLowerCase()).toContain(`\n### ${target.slice(1)}\n`);
        else if (target.endsWith('.md')) expect(pages.has(path.posix.join(path.posix.dirname(file), target))).toBe(true);
      }
    }
  });

  it('name what is checked by type alone', () => expect(pageOf('pod-template')).toContain('## What lies beyond is checked by type'));
});
