/**
 * Runs once before all tests: what they need and this machine lacks is installed here, and not under the time limit of
 * a test.
 */
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

/** What cannot be installed is left to the tests that need it: they fail, and say what was looked for. */
export default async function installPrograms(): Promise<void> {
  for (const { name, debianPackage, isGiven } of NEEDED) {
    if (isGiven() || findOnPath(name) !== undefined) continue;
    process.stderr.write(`tests: ${name} is missing, installing Debian's ${debianPackage}\n`);
    const { why } = await findOrInstall(name, debianPackage);
    if (why !== '') process.stderr.write(`tests: ${why}\n`);
  }
}
