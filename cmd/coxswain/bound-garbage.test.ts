import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** Has the bound set when it is named. */
const BEGIN = `
  import { getHeapStatistics } from 'node:v8';
  const [, subject] = process.argv;
  if (subject !== undefined) (await import(subject)).boundGarbage();
`;

/** Prints the most that the heap held while objects grew old and died, in MB. */
const OBJECTS = `${BEGIN}
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

/** Prints the most that compilers held while functions came into frequent use all at once, in MB. */
const FUNCTIONS = `${BEGIN}
  const step = (i) => 'sum += b.x * a; if (a % 3 === ' + (i % 3) + ') sum -= b.y; b.z = sum % ' + (i + 7) + ';';
  const functions = Array.from({ length: 600 }, (_, i) => new Function('a', 'b', 'let sum = 0; while (a-- > 0) {' + step(i) + '} return sum;'));
  let all = 0;
  for (let round = 0; round < 2000; round++) for (const each of functions) all += each(3, { x: round, y: 2, z: 0 });
  console.log(all > 0 ? Math.round(getHeapStatistics().peak_malloced_memory / 1024 / 1024) : 0);
`;

const SUBJECT = resolve(import.meta.dirname, 'bound-garbage.ts');

async function maxHeldMb(program: string, ...subject: string[]): Promise<number> {
  const flags = ['--min-semi-space-size=4', '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', program, ...subject]);
  return Number(stdout);
}

describe('the bound on garbage', () => {
  it('makes collections come before the heap has doubled', async () => {
    const [free, bound] = await Promise.all([maxHeldMb(OBJECTS), maxHeldMb(OBJECTS, SUBJECT)]);
    expect(bound).toBeGreaterThan(30);
    expect(bound).toBeLessThan(free * 0.75);
  });

  it('has compilers give back what they worked with as soon as its code is used', async () => {
    const [free, bound] = await Promise.all([maxHeldMb(FUNCTIONS), maxHeldMb(FUNCTIONS, SUBJECT)]);
    expect(bound).toBeGreaterThan(1);
    expect(bound).toBeLessThan(free * 0.75);
  });
});
