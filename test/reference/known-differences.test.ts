import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createExplain, readKnownDifferences } from './known-differences.ts';

const DOCUMENT = readFileSync(resolve(import.meta.dirname, '../../docs/compatibility.md'), 'utf8');
/** The first cell of each row. */
const ROWS = [...DOCUMENT.matchAll(/^\| (.*?) +\|/gm)].map((row) => row[1]);

describe('A known difference', () => {
  it('matches its kinds, and the whole of verb and summary', () => {
    const known = { kinds: ['CronJob'], pattern: '(create|update) code 201 → .*', documented: 'x' };
    const explain = createExplain([known]);
    expect(explain('CronJob', 'create', 'code 201 → 422: Invalid spec')).toBe(known);
    expect(explain('Event', 'create', 'code 201 → 422: Invalid spec')).toBeUndefined();
    expect(explain('CronJob', 'patch', 'code 201 → 422: Invalid spec')).toBeUndefined();
    expect(explain('CronJob', 'create', 'a code 201 → 422')).toBeUndefined();
  });

  it('has a row in docs/compatibility.md', () => {
    const undocumented = readKnownDifferences().filter(({ documented }) => !ROWS.includes(documented));
    expect(undocumented).toEqual([]);
  });
});
