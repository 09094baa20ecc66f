import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { replaceFolder } from './replace-folder.ts';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'replace-folder-'));
  folder = join(parent, 'dist');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const FILES = ['a', 'b', 'c'];
const writes = (text: string) => async (next: string) => {
  for (const name of FILES) await writeFile(join(next, name), text);
};
const contents = async () =>
  Promise.all((await readdir(folder)).sort().map(async (name) => [name, await readFile(join(folder, name), 'utf8')]));
const all = (text: string) => FILES.map((name) => [name, text]);

describe('replacing a folder', () => {
  it('makes it, replaces all of it, and leaves nothing beside it', async () => {
    await replaceFolder(folder, writes('old'));
    await writeFile(join(folder, 'more'), '');
    await replaceFolder(folder, writes('new'));
    expect(await contents()).toEqual(all('new'));
    expect(await readdir(parent)).toEqual(['dist']);
  });

  it('leaves it as it was when the new one cannot be written', async () => {
    await replaceFolder(folder, writes('old'));
    const failing = replaceFolder(folder, async (next) => {
      await writeFile(join(next, 'a'), 'new');
      throw new Error('no more room');
    });
    await expect(failing).rejects.toThrow('no more room');
    expect(await contents()).toEqual(all('old'));
    expect(await readdir(parent)).toEqual(['dist']);
  });

  it('ends with the whole of the last one when several do it at once', async () => {
    const written = Promise.withResolvers<undefined>();
    const slow = replaceFolder(folder, async (next) => {
      await writeFile(join(next, 'a'), 'slow');
      await written.promise;
      for (const name of FILES) await writeFile(join(next, name), 'slow');
    });
    await replaceFolder(folder, writes('fast'));
    expect(await contents()).toEqual(all('fast'));
    written.resolve(undefined);
    await slow;
    expect(await contents()).toEqual(all('slow'));
    expect(await readdir(parent)).toEqual(['dist']);
  });

  it('removes what a stopped build left long ago, but nothing of one that may run', async () => {
    for (const name of ['dist.next-old', 'dist.next-young', 'dist.kept']) await mkdir(join(parent, name));
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const name of ['dist.next-old', 'dist.kept']) await utimes(join(parent, name), longAgo, longAgo);
    await replaceFolder(folder, writes('new'));
    expect((await readdir(parent)).sort()).toEqual(['dist', 'dist.kept', 'dist.next-young']);
  });

  it('lets others read what it makes', async () => {
    await replaceFolder(folder, writes('new'));
    const other = join(parent, 'other');
    await mkdir(other);
    expect((await stat(folder)).mode).toBe((await stat(other)).mode);
  });
});
