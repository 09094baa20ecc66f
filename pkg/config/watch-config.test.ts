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

const watch = () => watchConfig(file, ending.signal, { everyMs: 5 });

async function next(changes: AsyncGenerator<ConfigChange, void>): Promise<ConfigChange> {
  const { value } = await changes.next();
  if (value === undefined) throw new Error('the watch ended');
  return value;
}

const inForce = ({ inForce: documents }: ConfigChange) =>
  documents.map(
    (document) => document.kind === 'ClusterControllerManagerConfiguration' && document.config.JobController.ConcurrentJobSyncs,
  );

describe('watchConfig', () => {
  it('yields the file as it is, and each valid change', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watch();
    expect(inForce(await next(changes))).toEqual([1]);
    await writeFile(file, withSyncs(2));
    const second = await next(changes);
    expect([second.valid, inForce(second)]).toEqual([true, [2]]);
  });

  it('keeps the last good documents in force while the file has errors', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watch();
    await next(changes);
    await writeFile(file, withSyncs('many'));
    const bad = await next(changes);
    expect(bad).toMatchObject({ valid: false, problems: [{ reason: 'WrongType', line: 3 }] });
    expect(inForce(bad)).toEqual([1]);
    await writeFile(file, withSyncs(3));
    expect(inForce(await next(changes))).toEqual([3]);
  });

  it('sees a file that is replaced, also behind a link', async () => {
    const [first, second, link] = [path.join(dir, 'first'), path.join(dir, 'second'), path.join(dir, 'link')];
    await Promise.all([writeFile(first, withSyncs(1)), writeFile(second, withSyncs(2)), symlink(first, file), symlink(second, link)]);
    const changes = watch();
    expect(inForce(await next(changes))).toEqual([1]);
    await rename(link, file);
    expect(inForce(await next(changes))).toEqual([2]);
  });

  it('sees what a ConfigMap puts in place of its folder', async () => {
    // As the kubelet does: files are links through ..data, and that link is renamed over the one before.
    const revision = async (name: string, count: number) => {
      await mkdir(path.join(dir, name));
      await writeFile(path.join(dir, name, 'config.yaml'), withSyncs(count));
      await symlink(name, path.join(dir, '..data_tmp'));
      await rename(path.join(dir, '..data_tmp'), path.join(dir, '..data'));
    };
    await revision('..2026_01', 1);
    await symlink(path.join('..data', 'config.yaml'), file);
    const changes = watch();
    expect(inForce(await next(changes))).toEqual([1]);
    await revision('..2026_02', 2);
    await rm(path.join(dir, '..2026_01'), { recursive: true });
    expect(inForce(await next(changes))).toEqual([2]);
  });

  it('keeps what is in force while a file is written half by half', async () => {
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
    expect(seen.map(inForce)).toEqual([...seen.slice(1).map(() => [1]), [23]]);
  });

  it('keeps what is in force while something else stands in place of the file', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watch();
    await next(changes);
    await unlink(file);
    await mkdir(file);
    let change = await next(changes);
    // The moment between may have been seen.
    while (change.problems[0]?.message.includes('no such file')) change = await next(changes);
    expect(change).toMatchObject({
      valid: false,
      problems: [{ reason: 'Unreadable', message: 'the file cannot be read: it is a folder' }],
    });
    expect(inForce(change)).toEqual([1]);
    await rm(file, { recursive: true });
    await writeFile(file, withSyncs(2));
    while (!change.valid) change = await next(changes);
    expect(inForce(change)).toEqual([2]);
  });

  it('says that the file is gone, and sees it come back', async () => {
    const changes = watch();
    expect(await next(changes)).toMatchObject({ valid: false, inForce: [], problems: [{ reason: 'Unreadable' }] });
    await writeFile(file, withSyncs(1));
    expect(inForce(await next(changes))).toEqual([1]);
    await unlink(file);
    const gone = await next(changes);
    expect([gone.valid, inForce(gone)]).toEqual([false, [1]]);
    await writeFile(file, withSyncs(2));
    let back = await next(changes);
    // An empty file for a moment is none.
    while (!back.valid) back = await next(changes);
    expect(inForce(back)).toEqual([2]);
  });

  it('says nothing of a file that is written anew with the same text', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watch();
    await next(changes);
    await writeFile(file, withSyncs(1));
    const coming = next(changes);
    await writeFile(file, withSyncs(2));
    expect(inForce(await coming)).toEqual([2]);
  });

  it('ends when it is told to, whatever it waits for', async () => {
    await writeFile(file, withSyncs(1));
    const changes = watchConfig(file, ending.signal);
    await next(changes);
    const coming = changes.next();
    ending.abort();
    expect(await coming).toEqual({ done: true, value: undefined });
  });
});
