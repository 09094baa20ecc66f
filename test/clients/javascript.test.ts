/** The JavaScript story of `make test-clients`, whose client is here in any case. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BACKENDS } from '../support/test-store.ts';
import { parseClientFile } from './client-file.ts';
import { clientFolders } from './client-folders.ts';
import { openClientTarget, type ClientTarget } from './client-target.ts';
import { runProgram, type ProgramEnd } from './run-program.ts';

const folder = clientFolders().find(({ name }) => name === 'javascript');
if (folder === undefined) throw new Error('the JavaScript program is gone');
const { client, programs } = parseClientFile(readFileSync(join(folder.path, 'client.json'), 'utf8'), folder.path);

describe.each(BACKENDS)('JavaScript client › on %s', (backend) => {
  let target: ClientTarget | undefined;
  beforeAll(async () => {
    target = await openClientTarget(backend);
  }, 60_000);
  afterAll(() => target?.close(), 30_000);

  describe.each(programs)('$name', (program) => {
    let end: ProgramEnd | undefined;
    beforeAll(async () => {
      if (target !== undefined) end = await runProgram(folder, program, target);
    }, 120_000);

    it.each(program.steps)('does %s', (step) => {
      expect({ steps: end?.steps, stderr: end?.stderr }).toEqual({ steps: expect.arrayContaining([step]), stderr: '' });
    });

    it('does nothing else, ends well and leaves nothing behind', () => {
      expect(end?.problem).toBeUndefined();
    });
  });
});

it('The JavaScript client is the one of package.json', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const name = '@kubernetes/client-node';
  expect(client).toBe(`${name} ${manifest.devDependencies[name] ?? ''}`);
});
