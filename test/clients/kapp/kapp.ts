/** kapp as a user runs it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchV1Api, CoreV1Api, PolicyV1Api } from '@kubernetes/client-node';
import { runCommand, shown, type CommandEnd } from '../run-command.ts';
import { manifests, type ReportOptions } from './manifests.ts';

export const APP = 'nightly';
const RUN_MS = 60_000;

export interface Story {
  /** Ours alone; empty at the start and at the end. */
  readonly namespace: string;
  readonly kapp: Kapp;
  readonly core: CoreV1Api;
  readonly batch: BatchV1Api;
  readonly policy: PolicyV1Api;
}

export interface Kapp {
  /** Resolves with what it printed; rejects with its complaint. */
  readonly told: (...args: readonly string[]) => Promise<string>;
  /** Rows of its table, by the names of the columns in lower case. */
  readonly rows: (...args: readonly string[]) => Promise<readonly Readonly<Record<string, string>>[]>;
  /** Deploys the report. */
  readonly deploy: (report: ReportOptions, ...args: readonly string[]) => Promise<CommandEnd>;
}

export function createKapp(namespace: string, home: string): Kapp {
  const run = (args: readonly string[]) =>
    runCommand(['bin/kapp', ...args, '--namespace', namespace, '--yes', '--color=false'], {
      folder: import.meta.dirname,
      env: { HOME: home },
      limitMs: RUN_MS,
    });
  const told: Kapp['told'] = async (...args) => {
    const { problem, stdout, stderr } = await run(args);
    if (problem !== undefined) throw new Error(`${shown(['kapp', ...args])}: ${problem}: ${stdout}${stderr}`);
    return stdout;
  };
  return {
    told,
    rows: async (...args) => {
      const printed = JSON.parse(await told(...args, '--json')) as {
        readonly Tables: readonly { readonly Rows: readonly Record<string, string>[] }[];
      };
      return printed.Tables[0]?.Rows ?? [];
    },
    deploy: async (report, ...args) => {
      const file = join(home, 'report.yaml');
      await writeFile(file, manifests(report));
      return run(['deploy', '--app', APP, '--file', file, ...args]);
    },
  };
}
