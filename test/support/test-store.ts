/** A store of its own for a test, on either backend, and the flags that make a server use it. Outside of jest too. */
import { randomBytes } from 'node:crypto';
import { openEtcd } from './etcd.ts';
import { temporaryDirectory } from './server.ts';

export type BackendName = 'embedded' | 'etcd';
export const BACKENDS: readonly BackendName[] = ['embedded', 'etcd'];

export interface TestStore {
  readonly backend: BackendName;
  /**
   * Flags of `coxswain serve`. Several servers may use them at a time on etcd, one after the other on the embedded
   * store.
   */
  readonly flags: readonly string[];
  /** Base URLs of etcd; none on the embedded store. */
  readonly endpoints: readonly string[];
  readonly close: () => Promise<void>;
}

export async function openTestStore(backend: BackendName): Promise<TestStore> {
  if (backend === 'embedded') {
    const directory = await temporaryDirectory();
    return { backend, flags: ['--data-dir', directory.path], endpoints: [], close: directory.remove };
  }
  const etcd = await openEtcd();
  // A prefix of our own, so that the etcd may be one that others use.
  const prefix = `/test-${randomBytes(6).toString('hex')}`;
  return {
    backend,
    flags: ['--etcd-servers', etcd.endpoints.join(','), '--etcd-prefix', prefix],
    endpoints: etcd.endpoints,
    close: () => etcd.close(),
  };
}

/** For a server that has a data directory of its own: for its certificates, and for its objects without etcd. */
export const secureFlags = ({ backend, flags }: TestStore): readonly string[] => (backend === 'etcd' ? flags : []);
