import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';

export type EtcdLog = Pick<Log, 'info' | 'warn' | 'error'>;

/** Called on hot paths: must be cheap and must not throw. */
export interface EtcdMetrics {
  /** A call to etcd ended. */
  called(operation: EtcdOperation, ms: number, failed: boolean): void;
  watchReopened(): void;
  /** A watch of the whole key space skipped a revision. */
  eventLost(): void;
}

export type EtcdClient = 'native' | 'etcd3';

export type EtcdOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'compact' | 'revision' | 'status';

export interface EtcdBackendOptions {
  /** `http://host:port` or `https://host:port` of the members, at least one. */
  readonly servers: readonly string[];
  /** Prefix of all keys. Default: `/registry`. */
  readonly prefix?: string;
  /** PEM. `cert` and `key` are given together or not at all. */
  readonly tls?: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
  readonly username?: string;
  readonly password?: string;
  readonly clock: Clock;
  readonly log: EtcdLog;
  readonly metrics?: EtcdMetrics;
  /** The deadline of every call. Default: 10 s. */
  readonly callTimeoutMs?: number;
  /** A silent connection is pinged after this time. Default: 6 s; etcd rejects less than 5 s. */
  readonly keepaliveMs?: number;
  /** A pinged connection is dropped after this time. Default: 2 s. */
  readonly keepaliveTimeoutMs?: number;
  /** The transport implementation. Default: `native`. */
  readonly client?: EtcdClient;
}
