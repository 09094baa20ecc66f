import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './metrics.ts';

/** Without the suffix that promtool wants. */
const KUBERNETES_COUNTERS: ReadonlySet<string> = new Set(['authenticated_user_requests', 'authentication_attempts']);

const open = () => createMetrics({ version: 'v1.36.0', now: () => 0, processMetrics: false });

describe('Metrics', () => {
  it('exposes counters under the names of Kubernetes', async () => {
    const metrics = open();
    metrics.requestTotal.with('GET', '', 'batch', 'v1', 'cronjobs', '', 'namespace', 'apiserver', '200').inc();
    expect(await metrics.expose()).toContain(
      'apiserver_request_total{verb="GET",dry_run="",group="batch",version="v1",resource="cronjobs",subresource="",scope="namespace",component="apiserver",code="200"} 1',
    );
  });

  it('writes cumulative buckets, sum and count of a histogram', async () => {
    const metrics = open();
    const waits = metrics.watchCacheReadWaitSeconds.with();
    waits.observe(0.0005);
    waits.observe(100);
    const text = await metrics.expose();
    expect(text).toContain('apiserver_watch_cache_read_wait_seconds_bucket{le="0.0005"} 1\n');
    expect(text).toContain('apiserver_watch_cache_read_wait_seconds_bucket{le="+Inf"} 2\n');
    expect(text).toContain('apiserver_watch_cache_read_wait_seconds_sum 100.0005\n');
    expect(text).toContain('apiserver_watch_cache_read_wait_seconds_count 2\n');
  });

  it('gives the same child for the same label values', () => {
    const { watchEventsTotal } = open();
    expect(watchEventsTotal.with('a', 'b', 'c')).toBe(watchEventsTotal.with('a', 'b', 'c'));
  });

  it('names everything as promtool wants it, but for names that Kubernetes has too', async () => {
    const metrics = createMetrics({ version: 'v1.36.0', now: () => 0, processMetrics: true });
    const types = [...(await metrics.expose()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
    expect(types.length).toBeGreaterThan(30);
    for (const { name, type } of types) {
      if (KUBERNETES_COUNTERS.has(name)) continue;
      expect({ name, endsInTotal: name.endsWith('_total') }).toEqual({ name, endsInTotal: type === 'counter' });
      expect(name.replace('active_fetch_count', '')).not.toMatch(/_(count|sum|bucket|info_total|milliseconds|ms|kb|mb)$/);
      expect(name).not.toMatch(/[A-Z]/);
    }
  });

  it('escapes label values', async () => {
    const metrics = open();
    metrics.watchEventsTotal.with('a"\n', 'b', 'c').set(1);
    expect(await metrics.expose()).toContain('group="a\\"\\n"');
  });

  it('lists each family with the names of its labels', () => {
    const { families } = open();
    expect(
      families.filter(
        ({ name }) =>
          !/^(apiserver|authentication|authorization|etcd|coxswain|garbagecollector|workqueue)_|^(kubernetes_build_info|authenticated_user_requests)$/.test(
            name,
          ),
      ),
    ).toEqual([]);
    expect(families.find(({ name }) => name === 'etcd_requests_total')?.labelNames).toEqual(['operation', 'group', 'resource']);
    expect(families.every(({ help }) => help.endsWith('.'))).toBe(true);
  });
});
