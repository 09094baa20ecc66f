/** How long a long file takes, in time of the processor: others may be at work beside it. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { CLUSTER_HEAD, MIGRATION } from '../../test/support/config-files.ts';
import { parseConfig } from './load-config.ts';

const LINES = 10_000;
const MAX_MS = 200;
/** The first runs are those of code that has not been compiled yet. */
const RUNS = 5;

function lines(head: string, next: (number: number) => readonly string[]): string {
  const all = head.trimEnd().split('\n');
  for (let number = 0; all.length < LINES; number++) all.push(...next(number));
  return `${all.join('\n')}\n`;
}

const ignored = { Group: 'group.example.org', Resource: 'resources' };
const NAMES = ['route', 'service', 'cloud-node-lifecycle', 'node-ipam-controller'];

const FILES: readonly (readonly [string, string])[] = [
  [
    'lists of objects, with comments',
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

/** In a process of its own: what a test runner wraps around the code takes several times as long as the code. */
function fastestMs(text: string): number {
  const script = `
    import { readFileSync } from 'node:fs';
    import { parseConfig } from ${JSON.stringify(new URL('load-config.ts', import.meta.url).href)};
    const text = readFileSync(0, 'utf8');
    const times = Array.from({ length: ${RUNS} }, () => {
      const before = process.cpuUsage();
      parseConfig(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    console.log(Math.min(...times));`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { input: text, encoding: 'utf8' }));
}

describe('a file of 10,000 lines', () => {
  it.each(FILES)(`is checked in less than ${MAX_MS} ms: %s`, (_what, text) => {
    expect(text.split('\n').length).toBeGreaterThanOrEqual(LINES);
    expect(parseConfig(text).problems.map(({ reason }) => reason)).not.toContain('Syntax');
    expect(fastestMs(text)).toBeLessThan(MAX_MS);
  });
});
