/** Finds an etcd program on this machine, or has Debian's installed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findOrInstall } from './programs.ts';

const run = promisify(execFile);

export interface EtcdBinary {
  readonly path: string;
  /** It knows `--unsafe-no-fsync`. */
  readonly canSkipSync: boolean;
}

/** Undefined when there is none and none can be installed; `why` says what was tried. */
export async function findEtcdBinary(): Promise<{ readonly binary?: EtcdBinary; readonly why: string }> {
  const { path, why } = await findOrInstall('etcd', 'etcd-server');
  return path === undefined ? { why } : { binary: await describeBinary(path), why };
}

async function describeBinary(path: string): Promise<EtcdBinary> {
  const { stdout, stderr } = await run(path, ['--help']);
  return { path, canSkipSync: `${stdout}${stderr}`.includes('--unsafe-no-fsync') };
}
