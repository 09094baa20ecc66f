/** `config check` as a process, of what is no configuration, is too much of one, or never ends. */
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLUSTER_HEAD } from '../../support/config-files.ts';
import { readUse, REPORTING_USE } from '../../support/report-use.ts';
import type { ProcessUse } from '../../support/report-use.ts';
import { runShell } from '../../support/shell.ts';
import type { ShellResult } from '../../support/shell.ts';

/** A process that reads nothing has half of it. */
const MAX_RSS_KB = 160_000;
/** Of a text that is read to the end of every bound, on the way to being refused. */
const MAX_BUSY_RSS_KB = 320_000;
const LINES = 10_000;

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'coxswain-hostile-'));
  await mkdir(path.join(cwd, 'folder'));
  await writeFile(path.join(cwd, 'large.yaml'), CLUSTER_HEAD);
  await truncate(path.join(cwd, 'large.yaml'), 100 * 1024 * 1024);
  await writeFile(path.join(cwd, 'long.yaml'), longConfiguration());
  await writeFile(path.join(cwd, 'brackets.yaml'), ']\n'.repeat(1_000_000));
  await writeFile(path.join(cwd, 'tags.yaml'), CLUSTER_HEAD + '!a b: !c d\n'.repeat(150_000));
  await writeFile(path.join(cwd, 'escapes.yaml'), `${CLUSTER_HEAD}a: "${'\\x'.repeat(1_000_000)}"\n`);
});
afterAll(() => rm(cwd, { recursive: true }));

function longConfiguration(): string {
  const lines = [`${CLUSTER_HEAD}GarbageCollectorController:\n  GCIgnoredResources:`];
  for (let number = 0; lines.length < LINES - 3; number++) {
    lines.push(
      `    # ${number} is left alone`,
      `    - Group: group${number}.example.org`,
      `      Resource: resources${number}   # of a team`,
    );
  }
  return `${lines.join('\n')}\n`;
}

async function check(line: string): Promise<ShellResult & { readonly use: ProcessUse }> {
  const ran = await runShell(line, { cwd, env: REPORTING_USE });
  return { ...ran, ...readUse(ran.stderr) };
}

describe('What is no configuration file', () => {
  it.each([
    ['a file of 100 MB', 'coxswain config check large.yaml', 'large.yaml: the file is larger than 2 MiB'],
    ['standard input without end', 'yes | coxswain config check -', '-: the file is larger than 2 MiB'],
    ['a device without end', 'coxswain config check /dev/zero', '/dev/zero: the file is larger than 2 MiB'],
    ['a folder', 'coxswain config check folder', 'folder: the file cannot be read: it is a folder'],
    [
      'a pipe at whose other end is nobody',
      'mkfifo pipe && coxswain config check pipe',
      'pipe: the file cannot be read: it is a named pipe; - is standard input',
    ],
  ])('is refused in bounded memory: %s', async (_what, line, message) => {
    const { code, stderr, stdout, use } = await check(line);
    expect({ code, stderr, stdout }).toEqual({ code: 2, stderr: `coxswain: ${message}\n`, stdout: '' });
    expect(use.maxRssKb).toBeLessThan(MAX_RSS_KB);
  });

  it.each(['brackets.yaml', 'tags.yaml', 'escapes.yaml'])('is refused in bounded memory: %s', async (file) => {
    const { code, stdout, use } = await check(`coxswain config check ${file}`);
    expect(code).toBe(1);
    expect(stdout).toContain('it is read up to here');
    expect(use.maxRssKb).toBeLessThan(MAX_BUSY_RSS_KB);
  });
});

describe('A configuration', () => {
  it('may come through a pipe of the shell', async () => {
    const { code, stdout } = await check(`cat long.yaml | coxswain config check /dev/stdin`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '/dev/stdin: valid\n' });
  });

  it('of 10,000 lines is checked without the server', async () => {
    const { code, stdout, use } = await check('coxswain config check long.yaml');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'long.yaml: valid\n' });
    expect(use.loaded.filter((url) => /\/pkg\/(server|storage|registry|watchcache)\/|\/serve-\w+\.js/.test(url))).toEqual([]);
    expect(use.loaded.length).toBeGreaterThan(10);
    expect(use.maxRssKb).toBeLessThan(MAX_BUSY_RSS_KB);
  });
});
