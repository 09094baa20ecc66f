import type { Metrics } from '../../observability/metrics.ts';
import type { ServedPath } from '../handlers/path-router.ts';

/** `refresh` updates gauges that are sampled. */
export const createMetricsPath = (metrics: Metrics, refresh: () => Promise<void>): ServedPath => ({
  path: '/metrics',
  get: async () => {
    await refresh();
    return { code: 200, headers: { 'Content-Type': metrics.contentType }, body: [Buffer.from(await metrics.expose())] };
  },
});
