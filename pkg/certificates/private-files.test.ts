import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { CertificateError } from './certificate-error.ts';
import { writePrivateFile } from './private-files.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'private-files-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe('A private file', () => {
  it('replaces one that others could read', async () => {
    const path = join(dir, 'file');
    await writeFile(path, 'old', { mode: 0o644 });
    await writePrivateFile(path, 'new');
    expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['new', 0o600]);
  });

  it('is written through a link, such as /dev/stdout to a file', async () => {
    const [path, link] = [join(dir, 'file'), join(dir, 'link')];
    await writeFile(path, 'old');
    await symlink(path, link);
    await writePrivateFile(link, 'new');
    expect([await readFile(path, 'utf8'), (await lstat(link)).isSymbolicLink()]).toEqual(['new', true]);
  });

  it.each([
    ['a folder', (path: string) => mkdir(path)],
    ['a pipe', (path: string) => promisify(execFile)('mkfifo', [path])],
    ['a link to a device', (path: string) => symlink('/dev/null', path)],
  ])('never replaces %s', async (_, make) => {
    const path = join(dir, 'file');
    await make(path);
    const before = await lstat(path, { bigint: true });
    const refused = writePrivateFile(path, 'text');
    await expect(refused).rejects.toThrow(CertificateError);
    await expect(refused).rejects.toThrow(`${path} exists and is not a regular file.`);
    expect((await lstat(path, { bigint: true })).ino).toBe(before.ino);
    expect(await readdir(dir)).toEqual(['file']);
  });
});
