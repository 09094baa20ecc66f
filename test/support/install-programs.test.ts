import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { mayStartPrograms } from './install-programs.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAMS = path.join(import.meta.dirname, 'programs.ts');

/** Whether a file imports `programs.ts`, or something that does. */
function reachesPrograms(file: string, seen = new Set<string>()): boolean {
  if (file === PROGRAMS) return true;
  if (seen.has(file) || !file.endsWith('.ts')) return false;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}) .*?from '(\.[^']+)';$/gm);
  return [...imports].some(([, name = '']) => reachesPrograms(path.resolve(path.dirname(file), name), seen));
}

describe('Programs are installed', () => {
  it.each([
    [true, []],
    [true, ['test/e2e']],
    [true, ['pkg/storage']],
    [true, ['pkg/apimachinery', 'test/e2e/kinds.test.ts']],
    [true, ['pkg/s']],
    [true, ['pkg/apimachinery|test/e2e']],
    [false, ['pkg/apimachinery/selectors']],
    [false, ['pkg/schema', 'pkg/watchcache/store/arena.test.ts']],
  ])('%s for %j', (expected, patterns) => {
    expect(mayStartPrograms(patterns)).toBe(expected);
  });

  it('for every test of pkg that may start one', () => {
    const files = globSync('pkg/**/*.test.ts', { cwd: ROOT });
    const starting = files.filter((file) => reachesPrograms(path.join(ROOT, file)));
    expect(starting.length).toBeGreaterThan(3);
    expect(starting.filter((file) => !mayStartPrograms([file]))).toEqual([]);
  });
});
