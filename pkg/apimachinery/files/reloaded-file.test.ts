import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { openReloadedFile } from './reloaded-file.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coxswain-files-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function readNumber(path: string): Promise<number> {
  const text = await readFile(path, 'utf8');
  if (!/^\d+$/.test(text)) throw new Error(`${path} holds no number`);
  return Number(text);
}

async function open(path: string) {
  const clock = new ManualClock(0);
  const stop = new AbortController();
  const reloads: (string | undefined)[] = [];
  const file = await openReloadedFile({ path, read: readNumber, clock, signal: stop.signal, onReload: (problem) => reloads.push(problem) });
  /** Lets time pass until the file was looked at again. */
  const poll = async () => {
    await waitFor(() => clock.sleepers === 1, { what: 'the poll to sleep' });
    clock.advance(2000);
    await waitFor(() => clock.sleepers === 1, { what: 'the poll to be over' });
  };
  const close = async () => {
    stop.abort();
    await file.closed;
  };
  return { file, reloads, poll, close };
}

describe('A file that is reloaded', () => {
  it('is read when it changes, and not before', async () => {
    const path = join(dir, 'a');
    await writeFile(path, '1');
    const { file, reloads, poll, close } = await open(path);
    await poll();
    expect([file.current, reloads]).toEqual([1, []]);
    await writeFile(`${path}.new`, '22');
    await rename(`${path}.new`, path);
    await poll();
    await poll();
    expect([file.current, reloads]).toEqual([22, [undefined]]);
    await close();
  });

  it('keeps its last valid content, and reports each broken one once', async () => {
    const path = join(dir, 'b');
    await writeFile(path, '1');
    const { file, reloads, poll, close } = await open(path);
    await writeFile(path, 'nonsense');
    await poll();
    await poll();
    expect([file.current, reloads]).toEqual([1, [`${path} holds no number`]]);
    await rm(path);
    await poll();
    expect([file.current, reloads.length, reloads[1]]).toEqual([1, 2, expect.stringContaining('ENOENT')]);
    await writeFile(path, '333');
    await poll();
    expect([file.current, reloads[2]]).toEqual([333, undefined]);
    await close();
  });

  it('must be valid at first', async () => {
    await expect(open(join(dir, 'none'))).rejects.toThrow('ENOENT');
  });
});
