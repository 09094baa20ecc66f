import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readResults } from './results.ts';
import { temporaryDirectory } from '../support/server.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const RUN_MS = 60_000;

describe('the bench as a whole', () => {
  it(
    'starts a server, measures what was asked for in rounds, checks it and ends',
    async () => {
      const directory = await temporaryDirectory();
      try {
        const file = join(directory.path, 'figures.json');
        const asked = ['--backends', 'embedded', '--rows', 'get,list,start,fan-out', '--sizes', '20', '--watchers', '3'];
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ['--disable-warning=ExperimentalWarning', MAIN, ...asked, '--seconds', '0.1', '--rounds', '2', '--json', file],
          { timeout: RUN_MS },
        );
        const { rows, notes } = await readResults(file);
        expect(notes).toEqual([]);
        const found = (name: string) => rows.filter((row) => row.name === name);
        expect(found('start-up with 0')).toHaveLength(1);
        expect(found('get consistent, 16 clients')).toHaveLength(1);
        expect(found('list, 4 clients of 20')[0]?.value).toBeGreaterThan(0);
        expect(found('watch fan-out, 3 watchers')[0]?.details).toMatchObject({ lost: 0, doubled: 0, closed: 0 });
        expect(stdout).toMatch(/start on an empty store +embedded +at most 500 ms/);
      } finally {
        await directory.remove();
      }
    },
    RUN_MS,
  );
});
