/** Finds an etcd program on this machine, or has Debian's installed. */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface EtcdBinary {
  readonly path: string;
  /** It knows `--unsafe-no-fsync`. */
  readonly canSkipSync: boolean;
}

/** Undefined when there is none and none can be installed; `why` says what was tried. */
export async function findEtcdBinary(): Promise<{ readonly binary?: EtcdBinary; readonly why: string }> {
  const onPath = findOnPath('etcd');
  if (onPath !== undefined) return { binary: await describeBinary(onPath), why: '' };
  const installed = await installDebian();
  const path = installed === '' ? findOnPath('etcd') : undefined;
  if (path !== undefined) return { binary: await describeBinary(path), why: '' };
  return { why: `no etcd on the PATH; Debian's etcd-server: ${installed === '' ? 'installed, but brought no etcd' : installed}` };
}

function findOnPath(name: string): string | undefined {
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

async function describeBinary(path: string): Promise<EtcdBinary> {
  const { stdout, stderr } = await run(path, ['--help']);
  return { path, canSkipSync: `${stdout}${stderr}`.includes('--unsafe-no-fsync') };
}

/** Empty when it went well, else why not. */
async function installDebian(): Promise<string> {
  if (process.getuid?.() !== 0) return 'not root, so it cannot be installed';
  if (!existsSync('/usr/bin/apt-get')) return 'there is no apt-get';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]) => run('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=120', ...args], { env, timeout: 180_000 });
  try {
    await apt('install', '--no-install-recommends', 'etcd-server');
    return '';
  } catch {
    // The lists may be missing or old.
  }
  try {
    await apt('update');
    await apt('install', '--no-install-recommends', 'etcd-server');
    return '';
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'apt-get failed';
  }
}
