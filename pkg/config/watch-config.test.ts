import { mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
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

  it('says that the file is gone, and sees it come back', async () => {
    const changes = watch();
    expect(await next(changes)).toMatchObject({ valid: false, inForce: [], problems: [{ reason: 'Unreadable' }] });
    await writeFile(file, withSyncs(1));
    expect(inForce(await next(changes))).toEqual([1]);
    await unlink(file);
    const gone = await next(changes);
    expect([gone.valid, inForce(gone)]).toEqual([false, [1]]);
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
