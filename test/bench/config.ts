/**
 * What it takes to check a long configuration: by the library, in a process that has done it before, and as the whole
 * command, from the start of its process to its end. Each figure is a median. Run it by itself: `node
 * test/bench/config.ts`, after `make build`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../../pkg/config/load-config.ts';
import { median } from './report.ts';

export interface ConfigRow {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms';
  /** At most this. */
  readonly goal: number;
}

const LINES = 10_000;
const GOAL_MS = 500;
const WARM_UP = 5;
const ROUNDS = 15;
const COMMAND_ROUNDS = 7;
const COMMAND = new URL('../../bin/coxswain', import.meta.url).pathname;

export function benchConfig(): readonly ConfigRow[] {
  return FILES.flatMap(([what, text]) => [
    { name: `check of 10,000 lines, ${what}`, value: checkMs(text), unit: 'ms', goal: GOAL_MS },
    { name: `config check of 10,000 lines, whole process, ${what}`, value: commandMs(text), unit: 'ms', goal: GOAL_MS },
  ]);
}

const CLUSTER_HEAD = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';
const MIGRATION =
  'apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\nleaderName: l\nresourceLock: leases\n';

function checkMs(text: string): number {
  const times = Array.from({ length: WARM_UP + ROUNDS }, () => {
    const begun = performance.now();
    parseConfig(text);
    return performance.now() - begun;
  });
  return median(times.slice(WARM_UP));
}

function commandMs(text: string): number {
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-bench-'));
  try {
    const file = join(directory, 'config.yaml');
    writeFileSync(file, text);
    const times = Array.from({ length: COMMAND_ROUNDS }, () => {
      const begun = performance.now();
      const { status, stderr } = spawnSync(COMMAND, ['config', 'check', file], { encoding: 'utf8' });
      const took = performance.now() - begun;
      if (status !== 0 && status !== 1) throw new Error(`coxswain config check ended with ${status ?? 'a signal'}: ${stderr}`);
      return took;
    });
    return median(times);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function lines(head: string, next: (number: number) => readonly string[]): string {
  const all = head.trimEnd().split('\n');
  for (let number = 0; all.length < LINES; number++) all.push(...next(number));
  return `${all.join('\n')}\n`;
}

const ignored = { Group: 'group.example.org', Resource: 'resources' };
const NAMES = ['route', 'service', 'cloud-node-lifecycle', 'node-ipam-controller'];

const FILES: readonly (readonly [string, string])[] = [
  [
    'lists and comments',
    lines(`${CLUSTER_HEAD}GarbageCollectorController:\n  GCIgnoredResources:\n`, (number) => [
      `    # ${number} is left alone`,
      `    - Group: group${number}.example.org`,
      `      Resource: resources${number}   # of a team`,
    ]),
  ],
  [
    'a migration',
    lines(`${MIGRATION}controllerLeaders:\n`, (number) => [`  - name: ${NAMES[number % NAMES.length] ?? ''}`, '    component: "*"']),
  ],
  ['nothing that is known', lines(CLUSTER_HEAD, (number) => [`renewDeadlin${number}: 1`])],
  [
    'JSON',
    JSON.stringify(
      {
        apiVersion: 'clustercontrollermanager.config.k8s.io/v1alpha1',
        kind: 'ClusterControllerManagerConfiguration',
        GarbageCollectorController: { GCIgnoredResources: Array.from({ length: LINES / 4 }, () => ignored) },
      },
      undefined,
      2,
    ),
  ],
];

if (import.meta.main)
  for (const { name, value, goal } of benchConfig()) console.log(`${name.padEnd(80)} ${value.toFixed(0)} ms (goal: ${goal})`);
