import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** Prints the most that the heap held while objects grew old and died, in MB. */
const PROGRAM = `
  import { getHeapStatistics } from 'node:v8';
  const [, subject] = process.argv;
  if (subject !== undefined) (await import(subject)).boundGarbage();
  const make = (i) => ({ i, list: [i, i + 1], inner: { text: 'x' + i } });
  const live = Array.from({ length: 150_000 }, (_, i) => make(i));
  const ring = new Array(60_000);
  let most = 0;
  for (let i = 0; i < 2_500_000; i++) {
    ring[i % ring.length] = make(i);
    if (i % 20_000 === 0 && i > 1_000_000) most = Math.max(most, getHeapStatistics().used_heap_size);
  }
  console.log(live.length > 0 ? Math.round(most / 1024 / 1024) : 0);
`;

const SUBJECT = resolve(import.meta.dirname, 'bound-garbage.ts');

async function mostHeldMb(...subject: string[]): Promise<number> {
  const flags = ['--min-semi-space-size=4', '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', PROGRAM, ...subject]);
  return Number(stdout);
}

describe('the bound on garbage', () => {
  it('makes collections come before the heap has doubled', async () => {
    const [free, bound] = await Promise.all([mostHeldMb(), mostHeldMb(SUBJECT)]);
    expect(bound).toBeGreaterThan(30);
    expect(bound).toBeLessThan(free * 0.75);
  });
});
