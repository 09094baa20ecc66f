import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { inFolder, runWriter } from './run-writer.ts';
import { requireStrace } from './strace.ts';
import { expectAllThere } from './verify.ts';

const WRITES = ['-e', 'trace=pwrite64,pwritev,writev,fdatasync', '-e'];
const inject = (what: string) => ['strace', '-f', '-o', '/dev/null', ...WRITES, `inject=${what}`];

/** Writes until that fails, and then looks at what the store said, what it still does, and what is there afterwards. */
async function failing(under: readonly string[]) {
  return inFolder(async (parent) => {
    const dir = join(parent, 'data');
    const writer = runWriter({ dir, prefix: '/f/', writers: 4, commits: 1_000_000, bytes: 3_000 }, under);
    const { code } = await writer.ended();
    const { acknowledged, lines } = writer;
    // The store was good for something before it failed, and did not acknowledge anything after.
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(lines.findLastIndex((line) => line.startsWith('ack '))).toBeLessThan(lines.findIndex((line) => line.startsWith('log ')));
    expect(code).toBe(0);
    expect(lines.at(-1)).toBe('done');
    await expectAllThere(dir, acknowledged);
    const [reads = '', again = '', ...notReady] = (writer.line('after') ?? '').split(' ');
    const living = new Map(acknowledged.map(({ key, length }) => [key, length]));
    return {
      living: String([...living.values()].filter((length) => length !== -1).length),
      reads,
      again,
      log: writer.line('log') ?? '',
      notReady: notReady.join(' '),
      start: `The store in ${dir} failed to write and takes no writes until it is restarted: `,
    };
  });
}

describe('embedded store that cannot write', () => {
  beforeAll(requireStrace);

  it.each([
    // The limit of a file's size fails a write as a full disk does, and needs no disk of its own.
    ['is out of room', ['prlimit', '--fsize=3000000'], 'Input/output error'],
    ['finds the disk full', inject('pwrite64,pwritev,writev:error=ENOSPC:when=66+'), 'No space left on device'],
    ['cannot sync', inject('fdatasync:error=EIO:when=30+'), 'Input/output error'],
  ])('goes read-only when it %s: one clear line, nothing lost, and reads go on', async (_, under, reason) => {
    const seen = await failing(under);
    expect(seen.log.startsWith(seen.start + reason)).toBe(true);
    expect(seen.notReady).toBe(seen.log);
    expect(seen.again).toBe('ReadOnly');
    expect(seen.reads).toBe(seen.living);
  });

  it('never shows an empty store when LMDB has shut itself after its last page could not be written', async () => {
    // Which call writes that page differs from run to run; some of these hit it.
    const runs = await Promise.all([60, 61, 62, 63, 64].map((call) => failing(inject(`pwrite64:error=EIO:when=${call}+`))));
    expect(runs.map(({ again }) => again)).toEqual(runs.map(() => 'ReadOnly'));
    for (const { reads, living } of runs) expect([living, 'Unreachable']).toContain(reads);
    expect(runs.map(({ reads }) => reads)).toContain('Unreachable');
  });
});
