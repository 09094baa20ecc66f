/**
 * Configuration files of the tests of one file, in a folder that is there as long as they run; and what a command is
 * given beside them.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll } from '@jest/globals';

export const CLUSTER_HEAD = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';
export const MIGRATION =
  'apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\nleaderName: l\nresourceLock: leases\n';

export interface ConfigFiles {
  readonly folder: () => string;
  /** Of a file, whether it is there or not. */
  readonly pathOf: (name: string) => string;
  /** Writes a file; resolves with its path. */
  readonly fileOf: (name: string, text: string) => Promise<string>;
}

export function openConfigFiles(): ConfigFiles {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'coxswain-config-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const pathOf = (name: string) => path.join(folder, name);
  return {
    folder: () => folder,
    pathOf,
    fileOf: async (name, text) => {
      await writeFile(pathOf(name), text);
      return pathOf(name);
    },
  };
}

/** Of a command whose output is a file. */
export const streamsOf = (stdin: string) => ({
  stdin: Readable.from([Buffer.from(stdin)]),
  stdout: { columns: 100, colors: false },
  stderr: { columns: 100, colors: false },
});
