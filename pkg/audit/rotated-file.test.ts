import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryDirectory } from '../../test/support/server.ts';
import { openRotatedFile, type RotatedFileOptions } from './rotated-file.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('A rotated file', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let now = Date.parse('2026-01-02T03:04:05.678Z');
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => directory.remove());

  const file = () => path.join(directory.path, 'logs', 'audit.log');
  const open = (options: Partial<RotatedFileOptions> = {}) =>
    openRotatedFile({ path: file(), maxBytes: 10, maxBackups: 0, maxAgeMs: 0, clock: { now: () => now++ }, ...options });
  const lines = (...texts: string[]) => texts.map((text) => `${text}\n`);
  const files = async () => (await readdir(path.join(directory.path, 'logs'))).sort();
  const text = (name: string) => readFile(path.join(directory.path, 'logs', name), 'utf8');

  it('is made with its folder, readable by its user alone, and written on', async () => {
    const first = await open({ maxBytes: 0 });
    await first.write(lines('a', 'b'));
    await first.close();
    const second = await open({ maxBytes: 0 });
    await second.write(lines('c'));
    await second.close();
    expect(await text('audit.log')).toBe('a\nb\nc\n');
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('is renamed with the time before a line that would make it too large', async () => {
    const writer = await open();
    await writer.write(lines('12345', '123'));
    await writer.write(lines('4', '5'));
    await writer.close();
    const [backup = '', current] = await files();
    expect([backup.replace(/\.\d{3}/, ''), current]).toEqual(['audit-2026-01-02T03-04-05.log', 'audit.log']);
    expect([await text(backup), await text('audit.log')]).toEqual(['12345\n123\n', '4\n5\n']);
  });

  it('keeps lines whole, and takes one that is larger than a file', async () => {
    const writer = await open();
    const written = ['a'.repeat(30), 'b', 'c'.repeat(9), 'd'.repeat(12)];
    await writer.write(lines(...written));
    await writer.close();
    const contents = await Promise.all((await files()).map(text));
    expect(contents).toEqual(written.map((line) => `${line}\n`));
  });

  it('counts what an earlier process wrote', async () => {
    const writer = await open();
    await writer.write(lines('1234567'));
    await writer.close();
    const next = await open();
    await next.write(lines('123'));
    await next.close();
    expect(await files()).toHaveLength(2);
  });

  it('keeps so many renamed files', async () => {
    const writer = await open({ maxBackups: 2 });
    await writer.write(lines(...['one', 'two', 'three', 'four', 'five'].map((word) => word.padEnd(8))));
    await writer.close();
    expect(await Promise.all((await files()).map(text))).toEqual(['three   \n', 'four    \n', 'five    \n']);
  });

  it('removes renamed files of the same name that are too old, and nothing else', async () => {
    const writer = await open({ maxAgeMs: 7 * DAY_MS });
    const others = [
      'audit-2025-12-20T00-00-00.000.log',
      'audit-notes.log',
      'other-2025-12-20T00-00-00.000.log',
      'audit-2025-12-30T00-00-00.000.log',
    ];
    for (const name of others) await writeFile(path.join(directory.path, 'logs', name), 'x');
    await writer.write(lines('12345678', '12345678'));
    await writer.close();
    const left = await files();
    expect(others.filter((name) => !left.includes(name))).toEqual(['audit-2025-12-20T00-00-00.000.log']);
  });

  it('cannot be opened where a file stands for its folder', async () => {
    await writeFile(path.join(directory.path, 'logs'), '');
    await expect(open()).rejects.toThrow(/EEXIST|ENOTDIR/);
  });
});
