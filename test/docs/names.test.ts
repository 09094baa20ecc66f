/** What the docs name exists: paths and symbols in backticks, and the targets of relative links. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Made by a build, or no path of ours. */
const NOT_IN_THE_SOURCES: readonly string[] = ['.venv/', 'target/', 'application/'];
/** `docs/adding-a-kind.md` adds this kind. */
const ADDED = /^(?:pkg\/apis\/node\/v1\/runtimeclasses\/.*|examples\/runtimeclass\.yaml|docs\/kinds\/runtimeclasses\.md)$/;

const NOT_OURS = ['**/node_modules/**', '{dist,dist.next-*,data,coverage}/**', 'test/clients/*/{.venv,bin,target}/**'];
const filesOf = (...patterns: string[]) => globSync(patterns, { cwd: ROOT, exclude: NOT_OURS });

const pages = filesOf('*.md', '{cmd,deploy,docs,examples,helm,test}/**/*.md').filter((page) => page !== 'CHANGELOG.md');
/** Decisions tell of what was taken out, too. */
const pagesOfToday = pages.filter((page) => !page.startsWith('docs/decisions/'));
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
/** Without blocks of code. */
const proseOf = (page: string) => textOf(page).replaceAll(/^ *```.*?^ *```$/gms, '');
const namedIn = (page: string) => [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);

const files = filesOf('.ci/*', '*', '{bin,cmd,deploy,docs,examples,helm,pkg,schemas,test}/**');
const known = new Set(files.map((file) => file.split(path.sep).join('/')));

/** `<group>` and `*` stand for any name, `**` for any path. */
function isThere(name: string, base: string): boolean {
  const wanted = name.replace(/\/$/, '').replaceAll(/<\w+>/g, '*');
  if (wanted.includes('*')) return filesOf(wanted, path.posix.join(base, wanted), `**/${wanted}`).length > 0;
  return known.has(wanted) || known.has(path.posix.join(base, wanted)) || [...known].some((file) => file.endsWith(`/${wanted}`));
}

const FROM_ROOT = /^(?:\.ci|bin|cmd|deploy|docs|examples|helm|pkg|schemas|test)\/[\w.@<>*/-]*$/;
/** A file of the repository that is named without its folder, or a folder. */
const RELATIVE = /^(?!\/|\.{1,2}\/)[\w.<>*/-]*\w(?:\.(?:ts|md|sh)|\/)$/;
const isPath = (name: string) => (FROM_ROOT.test(name) || RELATIVE.test(name)) && !NOT_IN_THE_SOURCES.includes(name) && !ADDED.test(name);

/** Names of flags in the environment are made of those of the flags. */
const SYMBOL = /^(?!COXSWAIN_)(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]+_[A-Z_]+|create\w+)(?:\(.*\))?$/;
const words = new Set(
  filesOf('Makefile', '*.js', '{cmd,pkg,test}/**/*.{ts,js,json,go,java,py,rb,rs,sh}')
    .filter((file) => !file.endsWith('test/docs/names.test.ts'))
    .flatMap((file) => textOf(file).match(/\w+/g) ?? []),
);

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-');
const anchorsOf = (page: string) => [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slugOf(heading));

function isTarget(page: string, target: string): boolean {
  const [name = '', anchor] = target.split('#');
  const file = name === '' ? page : path.posix.join(path.posix.dirname(page), name);
  if (!existsSync(path.join(ROOT, file))) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
}

describe('The docs', () => {
  it('are found', () => expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/testing.md'])));

  it.each(pages)('%s names paths that exist', (page) => {
    const missing = namedIn(page).filter((name) => isPath(name) && !isThere(name, path.posix.dirname(page)));
    expect(missing).toEqual([]);
  });

  it.each(pagesOfToday)('%s names symbols that exist', (page) => {
    expect(namedIn(page).filter((name) => SYMBOL.test(name) && !words.has(name.replace(/\(.*/, '')))).toEqual([]);
  });

  // The README takes any Node.js from 18 on, which does not run TypeScript.
  it.each(pages)('%s has programs run by the Node.js of the checkout', (page) => {
    expect(textOf(page).match(/(?:^|`)node (?:[\w/.-]+\.ts|--).*/gm) ?? []).toEqual([]);
  });

  it.each(pages)('%s links to what exists', (page) => {
    const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !/^[a-z]+:/.test(target) && !isTarget(page, target))).toEqual([]);
  });
});
