import type { Clock } from '../../apimachinery/time/clock.ts';

/** Where the backend tells what an operator must know. Winston's logger fits. */
export interface EtcdLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** What the backend counts. Called on hot paths: must be cheap and must not throw. */
export interface EtcdMetrics {
  /** One call to etcd ended: `get`, `list`, `create`, `update`, `delete`, `compact`, `revision` or `status`. */
  called(operation: EtcdOperation, ms: number, failed: boolean): void;
  /** The watch stream broke and was opened again. */
  watchReopened(): void;
  /** A watch of the whole key space skipped a revision: etcd lost an event. */
  eventLost(): void;
}

export type EtcdClient = 'native' | 'etcd3';

export type EtcdOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'compact' | 'revision' | 'status';

export interface EtcdBackendOptions {
  /** `http://host:port` or `https://host:port` of the members, at least one; any that answers is used. */
  readonly servers: readonly string[];
  /** All keys live under it; `/registry` when absent. */
  readonly prefix?: string;
  /** PEM. `cert` and `key`, when etcd asks clients for a certificate, come together. */
  readonly tls?: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
  readonly username?: string;
  readonly password?: string;
  readonly clock: Clock;
  readonly log: EtcdLog;
  readonly metrics?: EtcdMetrics;
  /** The deadline of every call; 10 s when absent. */
  readonly callTimeoutMs?: number;
  /** A silent connection is pinged after this long; etcd refuses less than 5 s. 6 s when absent. */
  readonly keepaliveMs?: number;
  /** It is dropped after this much more; 2 s when absent. */
  readonly keepaliveTimeoutMs?: number;
  /** Which implementation carries the calls; `native` when absent. */
  readonly client?: EtcdClient;
}
