import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { inFolder, runWriter } from './run-writer.ts';
import { CALLS_OF_INTEREST, judge, readTrace, requireStrace, type Verdict } from './strace.ts';

/** What the writer did, as the kernel saw it. */
const traced = async ({ writers, commits, noSync = false }: { writers: number; commits: number; noSync?: boolean }): Promise<Verdict> =>
  inFolder(async (dir) => {
    const file = join(dir, 'trace');
    const under = ['strace', '-f', '-s', '64', '-e', `trace=${CALLS_OF_INTEREST}`, '-o', file];
    const writer = runWriter({ dir: join(dir, 'data'), prefix: '/t/', writers, commits, bytes: 3_000, noSync }, under);
    const { code, stderr } = await writer.ended();
    if (code !== 0 || writer.acknowledged.length !== writers * commits) throw new Error(`the writer failed: ${stderr}`);
    return judge(readTrace(file));
  });

describe('embedded store under strace', () => {
  beforeAll(requireStrace);

  it('syncs every commit of a single writer before it acknowledges', async () => {
    const verdict = await traced({ writers: 1, commits: 60 });
    expect(verdict).toMatchObject({ acknowledged: 60, tooEarly: [] });
    expect(verdict.pageWrites).toBeGreaterThanOrEqual(60);
  });

  it('syncs what sixteen writers committed together before it acknowledges any of it', async () => {
    const verdict = await traced({ writers: 16, commits: 20 });
    expect(verdict).toMatchObject({ acknowledged: 320, tooEarly: [] });
    expect(verdict.pageWrites).toBeGreaterThanOrEqual(20);
  });

  it('is found out when it does not sync', async () => {
    const verdict = await traced({ writers: 1, commits: 60, noSync: true });
    expect(verdict.acknowledged).toBe(60);
    expect(verdict.tooEarly.length).toBe(60);
  });
});
