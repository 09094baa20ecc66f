/**
 * Runs once before all tests: what they need and this machine lacks is installed here, and not under the time limit of
 * a test.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BROWSER_PROGRAMS, findOnPath, findOrInstall } from './programs.ts';

const NEEDED = [
  { name: 'etcd', debianPackage: 'etcd-server', isGiven: () => (process.env['ETCD_ENDPOINTS'] ?? '') !== '' },
  { name: 'kubectl', debianPackage: 'kubernetes-client', isGiven: () => (process.env['KUBECTL'] ?? '') !== '' },
  { name: 'strace', debianPackage: 'strace', isGiven: () => false },
  { name: 'openssl', debianPackage: 'openssl', isGiven: () => false },
  { name: 'curl', debianPackage: 'curl', isGiven: () => false },
  {
    name: BROWSER_PROGRAMS[0],
    debianPackage: BROWSER_PROGRAMS[0],
    isGiven: () => (process.env['CHROMIUM'] ?? '') !== '' || BROWSER_PROGRAMS.some((name) => findOnPath(name) !== undefined),
  },
];

const PKG = resolve(import.meta.dirname, '../../pkg');
/** Folders of `pkg` whose tests start such programs. */
const STARTING_PROGRAMS = ['certificates', 'controllers', 'registry', 'server', 'storage'];

/** Whether the tests that these patterns of paths choose may start any of the programs; all tests without patterns. */
export const mayStartPrograms = (patterns: readonly string[]): boolean =>
  patterns.length === 0 ||
  patterns.some((pattern) => {
    const [, folder = ''] = /^pkg\/(\w+)(?:\/[\w./-]*)?$/.exec(pattern) ?? [];
    return folder === '' || STARTING_PROGRAMS.includes(folder) || !existsSync(resolve(PKG, folder));
  });

interface JestConfig {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
}

/** What cannot be installed is left to the tests that need it: they fail, and say what was looked for. */
export default async function installPrograms({ testPathPatterns }: JestConfig): Promise<void> {
  if (!mayStartPrograms(testPathPatterns.patterns)) return;
  for (const { name, debianPackage, isGiven } of NEEDED) {
    if (isGiven() || findOnPath(name) !== undefined) continue;
    process.stderr.write(`tests: ${name} is missing, installing Debian's ${debianPackage}\n`);
    const { why } = await findOrInstall(name, debianPackage);
    if (why !== '') process.stderr.write(`tests: ${why}\n`);
  }
}
