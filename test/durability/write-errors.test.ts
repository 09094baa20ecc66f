import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { inFolder, runWriter } from './run-writer.ts';
import { requireStrace } from './strace.ts';
import { expectAllThere } from './verify.ts';

const inject = (what: string) => ['strace', '-f', '-o', '/dev/null', '-e', 'trace=pwrite64,fdatasync', '-e', `inject=${what}`];

interface Seen {
  /** How many keys live, by what was acknowledged. */
  readonly living: string;
  readonly reads: string;
  readonly again: string;
  readonly log: string;
  readonly notReady: string;
  /** How the line must start that says what happened. */
  readonly start: string;
}

/**
 * A small disk of its own at `$0`, which only the program sees; what is on it is copied to `$1` when the program has
 * ended.
 */
const ON_SMALL_DISK =
  'disk=$0 kept=$1; shift; mkdir "$disk" && mount -t tmpfs -o size=24m tmpfs "$disk" && { "$@"; code=$?; cp -r "$disk/data" "$kept"; exit $code; }';

/** Writes until that fails, and then looks at what the store said, what it still does, and what is there afterwards. */
const failing = async (under: readonly string[] | 'small disk'): Promise<Seen & { readonly done: boolean }> =>
  inFolder(async (parent) => {
    const kept = join(parent, 'data');
    const disk = join(parent, 'disk');
    const [dir, command] =
      under === 'small disk' ? [join(disk, 'data'), ['unshare', '-rm', 'sh', '-c', ON_SMALL_DISK, disk, kept]] : [kept, under];
    const writer = runWriter({ dir, prefix: '/f/', writers: 4, commits: 1_000_000, bytes: 3_000 }, command);
    const { code } = await writer.ended();
    const { acknowledged, lines } = writer;
    // The store was good for something before it failed, and did not acknowledge anything after.
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(lines.findLastIndex((line) => line.startsWith('ack '))).toBeLessThan(lines.findIndex((line) => line.startsWith('log ')));
    await expectAllThere(kept, acknowledged);
    const [reads = '', again = '', ...notReady] = (writer.line('after') ?? '').split(' ');
    const newest = new Map(acknowledged.map(({ key, length }) => [key, length]));
    return {
      done: code === 0 && lines.at(-1) === 'done',
      living: String([...newest.values()].filter((length) => length !== -1).length),
      reads,
      again,
      log: writer.line('log') ?? '',
      notReady: notReady.join(' '),
      start: `The store in ${dir} failed to write and takes no writes until it is restarted: `,
    };
  });

describe('embedded store that cannot write', () => {
  beforeAll(requireStrace);

  it.each([
    // The limit of a file's size fails a write as a full disk does, and needs no disk of its own.
    ['is out of room', ['prlimit', '--fsize=3000000']],
    ['cannot sync', inject('fdatasync:error=EIO:when=30+')],
  ])('goes read-only when it %s: one clear line, nothing lost, and reads go on', async (_, under) => {
    const seen = await failing(under);
    expect(seen.done).toBe(true);
    expect(seen.log).toBe(`${seen.start}Input/output error.`);
    expect(seen.notReady).toBe(seen.log);
    expect(seen.again).toBe('ReadOnly');
    expect(seen.reads).toBe(seen.living);
  });

  it('goes read-only while a full disk still has room for what is under way', async () => {
    const seen = await failing('small disk');
    expect(seen.done).toBe(true);
    expect(seen.log).toMatch(/the disk is full, with [0-9.]+ MB left\.$/);
    expect(seen.log.startsWith(seen.start)).toBe(true);
    expect(seen.notReady).toBe(seen.log);
    expect(seen.again).toBe('ReadOnly');
    expect(seen.reads).toBe(seen.living);
  });

  it('loses nothing that was acknowledged when a page cannot be written, and never shows an empty store', async () => {
    // Which call writes which page differs from run to run; some hit the last page of a transaction, and LMDB shuts
    // itself. Where another page fails, lmdb damages its own memory while it reports that, so the process need not get
    // as far as its end.
    const runs = await Promise.all([60, 61, 62, 63, 64].map((call) => failing(inject(`pwrite64:error=EIO:when=${call}+`))));
    const finished = runs.filter(({ done }) => done);
    expect(finished.length).toBeGreaterThan(0);
    for (const { again, reads, living } of finished) {
      expect(again).toBe('ReadOnly');
      expect([living, 'Unreachable']).toContain(reads);
    }
  });
});
