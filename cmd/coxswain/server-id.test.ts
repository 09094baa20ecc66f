import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Log, silentLog } from '../../pkg/observability/logging.ts';
import { openServerId } from './server-id.ts';

describe('The id of a server', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coxswain-id-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const open = (dataDir?: string, log: Log = silentLog) =>
    openServerId({ hostName: 'Host_1', log, ...(dataDir !== undefined && { dataDir }) });

  it('stays what it was, in a file for its owner, also in a folder that has to be made', async () => {
    const dataDir = join(folder, 'data');
    const id = await open(dataDir);
    expect(id).toMatch(/^host-1-[0-9a-f]{8}$/);
    expect([await open(dataDir), await readFile(join(dataDir, 'server-id'), 'utf8')]).toEqual([id, `${id}\n`]);
    expect((await stat(join(dataDir, 'server-id'))).mode & 0o077).toBe(0);
  });

  it('is another one each time without a folder', async () => {
    expect(await open()).not.toBe(await open());
  });

  it.each(['', 'no subdomain\n', 'A-1'])('is made anew when the file holds %j', async (text) => {
    await writeFile(join(folder, 'server-id'), text);
    const id = await open(folder);
    expect(id).toMatch(/^host-1-/);
    expect(await open(folder)).toBe(id);
  });

  it('is made for this run alone when it cannot be kept, which the log says', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const warnings: string[] = [];
    expect(await open(file, { ...silentLog, warn: (message) => void warnings.push(message) })).toMatch(/^host-1-/);
    expect(warnings).toEqual(['the server id cannot be stored']);
  });
});
