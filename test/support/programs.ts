/**
 * Programs that the tests need and the project does not bring along: found on the PATH, or installed from Debian's
 * packages.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL_MS = 180_000;

export function findOnPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

/** What a headless Chromium may be called; the first is the smallest, and the name of its Debian package. */
export const BROWSER_PROGRAMS = ['chromium-headless-shell', 'chromium', 'google-chrome', 'google-chrome-stable'] as const;

/** The program's path. `why`, when there is none and none can be installed, says what was tried. */
export async function findOrInstall(name: string, debianPackage: string): Promise<{ readonly path?: string; readonly why: string }> {
  const found = findOnPath(name);
  if (found !== undefined) return { path: found, why: '' };
  const failure = await installDebianPackage(debianPackage);
  const installed = findOnPath(name);
  if (installed !== undefined) return { path: installed, why: '' };
  return { why: `no ${name} on the PATH; Debian's package ${debianPackage}: ${failure ?? `installed, but brought no ${name}`}` };
}

/** Undefined when it went well, else why not. */
async function installDebianPackage(name: string): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'not root, so it cannot be installed';
  if (findOnPath('apt-get') === undefined) return 'there is no apt-get';
  // RUNLEVEL: a service that comes with the package is not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]) => run('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=120', ...args], { env, timeout: INSTALL_MS });
  const install = () => apt('install', '--no-install-recommends', name);
  try {
    // The lists may be missing or old.
    await install().catch(() => apt('update').then(install));
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'apt-get failed';
  }
}
