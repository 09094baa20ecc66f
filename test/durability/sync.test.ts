import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { inFolder, runWriter } from './run-writer.ts';
import { CALLS_OF_INTEREST, judge, readTrace, requireStrace, type Verdict } from './strace.ts';

interface TraceOptions {
  readonly writers: number;
  readonly commits: number;
  readonly noSync?: boolean;
  readonly observe?: boolean;
  readonly extra?: readonly string[];
}

/** What the writer did, as the kernel saw it. */
const traced = async ({ writers, commits, noSync = false, observe = false, extra = [] }: TraceOptions): Promise<Verdict> =>
  inFolder(async (dir) => {
    const file = join(dir, 'trace');
    const under = ['strace', '-f', '-s', '64', '-e', `trace=${CALLS_OF_INTEREST}`, ...extra, '-o', file];
    const writer = runWriter({ dir: join(dir, 'data'), prefix: '/t/', writers, commits, bytes: 3_000, noSync, observe }, under);
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

  it('shows nothing to a reader, a watcher or the loser of a compare-and-set before it is synced', async () => {
    // A slow sync: LMDB itself shows the value all the while.
    const verdict = await traced({ writers: 1, commits: 30, observe: true, extra: ['-e', 'inject=fdatasync:delay_enter=10000'] });
    expect(verdict).toMatchObject({ acknowledged: 30, tooEarly: [] });
    expect(verdict.sightings).toBeGreaterThanOrEqual(60);
  });

  it('is found out when it does not sync', async () => {
    const verdict = await traced({ writers: 1, commits: 60, noSync: true });
    expect(verdict.acknowledged).toBe(60);
    expect(verdict.tooEarly.length).toBe(60);
  });
});
