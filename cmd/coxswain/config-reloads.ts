/** Counts reloads of a configuration file as Kubernetes does: by hashes of the server's id and of the file. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import type { ConfigReloadMetrics } from '../../pkg/observability/metrics.ts';

export interface ConfigReloads {
  /** `text` is in use since the start. */
  opened(text: string): void;
  /** Undefined: the change is not used. */
  reloaded(text: string | undefined): void;
}

export function createConfigReloads(metrics: ConfigReloadMetrics, serverId: string, clock: Pick<Clock, 'now'>): ConfigReloads {
  const idHash = hashOf(serverId);
  const opened = (text: string) => metrics.lastConfig.set(idHash, hashOf(text));
  return {
    opened,
    reloaded: (text) => {
      const status = text === undefined ? 'failure' : 'success';
      metrics.total.with(status, idHash).inc();
      metrics.lastTimestampSeconds.with(status, idHash).set(clock.now() / 1000);
      if (text !== undefined) opened(text);
    },
  };
}

const hashOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
