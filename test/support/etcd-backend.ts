/** etcd backends for tests, each under a prefix of its own, with what they log and count kept for looking at. */
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import type { Backend, Revision } from '../../pkg/storage/backend.ts';
import { NO_REVISION } from '../../pkg/storage/backend.ts';
import { openEtcdBackend } from '../../pkg/storage/etcd/open-etcd-backend.ts';
import type { EtcdBackendOptions, EtcdClient } from '../../pkg/storage/etcd/options.ts';
import { toKey } from '../../pkg/storage/keys.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

export interface TestBackend {
  readonly backend: Backend;
  readonly prefix: string;
  readonly lines: readonly LogLine[];
  readonly counts: { reopened: number; lost: number };
  /** Commits what must succeed: creates, or updates at `ifRevision`. */
  readonly put: (name: string, value: string | Uint8Array, ifRevision?: Revision) => Promise<Revision>;
}

/** Both carry the calls to etcd; what the backend promises, it promises with either. */
export const ETCD_CLIENTS = ['native', 'etcd3'] as const satisfies readonly EtcdClient[];

export const randomPrefix = (): string => `/test-${randomBytes(6).toString('hex')}`;

export async function openTestBackend(
  options: Omit<Partial<EtcdBackendOptions>, 'servers'> & { readonly servers: readonly string[] },
): Promise<TestBackend> {
  const prefix = options.prefix ?? randomPrefix();
  const lines: LogLine[] = [];
  const counts = { reopened: 0, lost: 0 };
  const keep = (level: LogLine['level']) => (message: string) => void lines.push({ level, message });
  const backend = await openEtcdBackend({
    prefix,
    clock: systemClock,
    log: { info: keep('info'), warn: keep('warn'), error: keep('error') },
    metrics: {
      called: () => undefined,
      watchReopened: () => {
        counts.reopened++;
      },
      eventLost: () => {
        counts.lost++;
      },
    },
    ...options,
  });
  return {
    backend,
    prefix,
    lines,
    counts,
    put: async (name, value, ifRevision = NO_REVISION) => {
      const result = await backend.commit({ key: toKey(`/things/${name}`), ifRevision, value: Buffer.from(value) });
      if (result.outcome !== 'committed') throw new Error(`expected a commit, got ${result.outcome}`, { cause: result });
      return result.revision;
    },
  };
}
