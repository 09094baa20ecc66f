import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryDirectory, type TemporaryDirectory } from '../support/server.ts';
import { parseVectors } from './vector.ts';

describe('A file of vectors', () => {
  it('keeps numbers as they are written', () => {
    const [vector] = parseVectors(Buffer.from('[{"name":"a","n":9007199254740993,"e":1e2,"z":null}]'));
    expect(vector?.members).toEqual({ name: 'a', n: 9007199254740993n, e: 100, z: null });
    expect(Object.entries(vector?.raw ?? {}).map(([member, { bytes }]) => `${member}=${bytes.toString()}`)).toEqual([
      'name="a"',
      'n=9007199254740993',
      'e=1e2',
      'z=null',
    ]);
  });

  it.each([
    ['{}', 'is a list with at least one'],
    ['[]', 'is a list with at least one'],
    ['[1]', 'Vector 0 is not an object'],
    ['[{"name":"a"},{"nam":"b"}]', 'Vector 1 has no name'],
    ['[', 'invalid JSON'],
  ])('is none when it reads %s', (text, why) => expect(() => parseVectors(Buffer.from(text))).toThrow(why));
});

describe('make test-vectors', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  let directory: TemporaryDirectory;
  beforeAll(async () => {
    directory = await temporaryDirectory();
  });
  afterAll(() => directory.remove());

  /** What it prints, and how it ends. */
  const run = (folder: string): Promise<{ readonly failed: boolean; readonly output: string }> =>
    new Promise((resolve) => {
      execFile('make', ['--silent', 'test-vectors', `VECTORS=${folder}`], { cwd: root }, (error, stdout, stderr) => {
        resolve({ failed: error !== null, output: stderr + stdout });
      });
    });

  it('passes, fails and counts one case for each vector of a folder, and fails a topic that has no runner', async () => {
    const folder = path.join(directory.path, 'some vectors');
    await mkdir(folder);
    const durations = [
      { name: 'an hour', input: '1h', expectedJSON: '1h0m0s', expectedNanoseconds: '3600000000000' },
      { name: 'a wrong one', input: '1h', expectedJSON: '1h', expectedNanoseconds: '3600000000000' },
    ];
    await writeFile(path.join(folder, 'duration.json'), JSON.stringify(durations));
    await writeFile(path.join(folder, 'weather.json'), '[{"name":"rain"}]');
    const { failed, output } = await run(folder);
    expect(failed).toBe(true);
    expect(output).toMatch(/✓ an hour/);
    expect(output).toMatch(/✕ a wrong one/);
    expect(output).toContain('There is no runner for weather yet: 1 vectors were not run.');
    expect(output).toContain('1 passed, 2 failed, 0 skipped\n');
  });

  it('fails without a folder', async () => {
    const { failed, output } = await run(path.join(directory.path, 'nowhere'));
    expect(failed).toBe(true);
    expect(output).toContain('The vectors cannot be read: ENOENT');
  });

  it('fails with an empty folder', async () => {
    await mkdir(path.join(directory.path, 'empty'));
    const { failed, output } = await run(path.join(directory.path, 'empty'));
    expect(failed).toBe(true);
    expect(output).toContain('has no file of vectors');
  });
});
