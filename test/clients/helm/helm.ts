/** helm as a user runs it, and what its chart makes. */
import { join } from 'node:path';
import type { BatchV1Api, CoreV1Api, PolicyV1Api } from '@kubernetes/client-node';
import { runCommand, shown } from '../run-command.ts';

export const RELEASE = 'nightly';
export const CHART = join(import.meta.dirname, 'chart');
const RUN_MS = 60_000;

export type Major = 3 | 4;

export interface Story {
  readonly major: Major;
  /** Ours alone; empty at the start and at the end. */
  readonly namespace: string;
  readonly helm: Helm;
  readonly core: CoreV1Api;
  readonly batch: BatchV1Api;
  readonly policy: PolicyV1Api;
}

export interface Helm {
  /** Resolves with what it printed; rejects with its complaint. */
  readonly told: (...args: readonly string[]) => Promise<string>;
  /** Resolves with its complaint. */
  readonly refused: (...args: readonly string[]) => Promise<string>;
}

/** In the namespace. Its caches and settings are in `home`. */
export function createHelm(major: Major, namespace: string, home: string): Helm {
  const env = {
    HELM_CACHE_HOME: join(home, 'cache'),
    HELM_CONFIG_HOME: join(home, 'config'),
    HELM_DATA_HOME: join(home, 'data'),
    KUBECACHEDIR: join(home, 'kube'),
  };
  const run = (args: readonly string[]) =>
    runCommand([`bin/v${major}/helm`, '--namespace', namespace, ...args], { folder: import.meta.dirname, env, limitMs: RUN_MS });
  return {
    told: async (...args) => {
      const { problem, stdout, stderr } = await run(args);
      if (problem !== undefined) throw new Error(`${shown(['helm', ...args])}: ${problem}: ${stdout}${stderr}`);
      return stdout;
    },
    refused: async (...args) => {
      const { problem, stdout, stderr } = await run(args);
      if (problem !== 'exit code 1') throw new Error(`${shown(['helm', ...args])}: ${problem ?? 'succeeded'}: ${stdout}${stderr}`);
      return stderr;
    },
  };
}

type Part = 'configMaps' | 'cronJobs' | 'jobs' | 'budgets' | 'secrets' | 'serviceAccounts';

/** Names of everything that the chart makes, of each kind, and of the release's Secrets. */
export async function namesIn({ core, batch, policy, namespace }: Story): Promise<Readonly<Record<Part, readonly string[]>>> {
  const names = ({ items }: { readonly items: readonly { readonly metadata?: { readonly name?: string } }[] }) =>
    items.map(({ metadata }) => metadata?.name ?? '');
  return {
    configMaps: names(await core.listNamespacedConfigMap({ namespace })),
    cronJobs: names(await batch.listNamespacedCronJob({ namespace })),
    jobs: names(await batch.listNamespacedJob({ namespace })),
    budgets: names(await policy.listNamespacedPodDisruptionBudget({ namespace })),
    secrets: names(await core.listNamespacedSecret({ namespace })),
    serviceAccounts: names(await core.listNamespacedServiceAccount({ namespace })),
  };
}

export type Names = Awaited<ReturnType<typeof namesIn>>;

export const releaseSecrets = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `sh.helm.release.v1.${RELEASE}.v${index + 1}`);

export const INSTALLED: Names = {
  configMaps: ['nightly-settings'],
  cronJobs: ['nightly'],
  jobs: ['nightly-first-report'],
  budgets: ['nightly'],
  secrets: ['nightly-token', ...releaseSecrets(1)],
  serviceAccounts: ['nightly'],
};

export const NOTHING: Names = { configMaps: [], cronJobs: [], jobs: [], budgets: [], secrets: [], serviceAccounts: [] };
