import { mkdir, mkdtemp, open, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { watchConfig } from './watch-config.ts';
import type { ConfigChange } from './watch-config.ts';

const withSyncs = (count: number | string) =>
  `apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\nJobController: {ConcurrentJobSyncs: ${count}}\n`;

let dir = '';
let file = '';
let ending = new AbortController();
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'coxswain-watch-'));
  file = path.join(dir, 'config.yaml');
  ending = new AbortController();
});
afterEach(async () => {
  ending.abort();
  await rm(dir, { recursive: true });
});

const watch = () => watchConfig(file, ending.signal, { intervalMs: 5 });

async function next(changes: AsyncGenerator<ConfigChange, void>): Promise<ConfigChange> {
  const { value } = await changes.next();
  if (value === undefined) throw new Error('the watch ended');
  return value;
}

const lastValid = ({ lastValid: documents }: ConfigChange) =>
  documents.map(
    (document) => document.kind === 'ClusterControllerManagerConfiguration' && document.config.JobController.ConcurrentJobSyncs,
  );

describe('watchConfig', () => {
  it('yields the current file, and each valid change', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watch();
    expect(lastValid(await next(changes))).toEqual([1]);
    await writeFile(file, withSyncs(2));
    const second = await next(changes);
    expect([second.valid, lastValid(second)]).toEqual([true, [2]]);
  });

  it('keeps the last valid documents while the file has errors', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watch();
    await next(changes);
    await writeFile(file, withSyncs('many'));
    const bad = await next(changes);
    expect(bad).toMatchObject({ valid: false, problems: [{ reason: 'WrongType', line: 3 }] });
    expect(lastValid(bad)).toEqual([1]);
    await writeFile(file, withSyncs(3));
    expect(lastValid(await next(changes))).toEqual([3]);
  });

  it('notices a replaced file, also behind a link', async () => {
    const [first, second, link] = [path.join(dir, 'first'), path.join(dir, 'second'), path.join(dir, 'link')];
    await Promise.all([writeFile(first, withSyncs(1)), writeFile(second, withSyncs(2)), symlink(first, file), symlink(second, link)]);
    const changes = watch();
    expect(lastValid(await next(changes))).toEqual([1]);
    await rename(link, file);
    expect(lastValid(await next(changes))).toEqual([2]);
  });

  it('notices an updated ConfigMap volume', async () => {
    // Like the kubelet: files are links through ..data, a link that is replaced by renaming.
    const revision = async (name: string, count: number) => {
      await mkdir(path.join(dir, name));
      await writeFile(path.join(dir, name, 'config.yaml'), withSyncs(count));
      await symlink(name, path.join(dir, '..data_tmp'));
      await rename(path.join(dir, '..data_tmp'), path.join(dir, '..data'));
    };
    await revision('..2026_01', 1);
    await symlink(path.join('..data', 'config.yaml'), file);
    const changes = watch();
    expect(lastValid(await next(changes))).toEqual([1]);
    await revision('..2026_02', 2);
    await rm(path.join(dir, '..2026_01'), { recursive: true });
    expect(lastValid(await next(changes))).toEqual([2]);
  });

  it('keeps the last valid documents while a file is written in parts', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watch();
    await next(changes);
    const text = withSyncs(23);
    const handle = await open(file, 'w');
    await handle.write(text.slice(0, -3));
    const coming = next(changes);
    await handle.write(text.slice(-3));
    await handle.close();
    const seen = [await coming];
    while (seen.at(-1)?.valid === false) seen.push(await next(changes));
    expect(seen.map(lastValid)).toEqual([...seen.slice(1).map(() => [1]), [23]]);
  });

  it('keeps the last valid documents while the path is not a file', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watch();
    await next(changes);
    await unlink(file);
    await mkdir(file);
    let change = await next(changes);
    // The moment in between may be observed.
    while (change.problems[0]?.message.includes('no such file')) change = await next(changes);
    expect(change).toMatchObject({
      valid: false,
      problems: [{ reason: 'Unreadable', message: 'the file cannot be read: it is a folder' }],
    });
    expect(lastValid(change)).toEqual([1]);
    await rm(file, { recursive: true });
    await writeFile(file, withSyncs(2));
    while (!change.valid) change = await next(changes);
    expect(lastValid(change)).toEqual([2]);
  });

  it('reports a deleted file, and notices when it is back', async () => {
    const changes = watch();
    expect(await next(changes)).toMatchObject({ valid: false, lastValid: [], problems: [{ reason: 'Unreadable' }] });
    await writeFile(file, withSyncs(1));
    expect(lastValid(await next(changes))).toEqual([1]);
    await unlink(file);
    const gone = await next(changes);
    expect([gone.valid, lastValid(gone)]).toEqual([false, [1]]);
    await writeFile(file, withSyncs(2));
    let back = await next(changes);
    // An empty file may be observed for a moment.
    while (!back.valid) back = await next(changes);
    expect(lastValid(back)).toEqual([2]);
  });

  it('ignores a file rewritten with the same text', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watch();
    await next(changes);
    await writeFile(file, withSyncs(1));
    const coming = next(changes);
    await writeFile(file, withSyncs(2));
    expect(lastValid(await coming)).toEqual([2]);
  });

  it('ends when aborted, whatever it waits for', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watchConfig(file, ending.signal);
    await next(changes);
    const coming = changes.next();
    ending.abort();
    expect(await coming).toEqual({ done: true, value: undefined });
  });
});
