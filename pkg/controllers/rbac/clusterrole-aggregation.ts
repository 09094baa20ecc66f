/** Keeps the rules of aggregated ClusterRoles, as Kubernetes' controller of this name. */
import { isDeepStrictEqual } from 'node:util';
import { labelSelectorAsSelector } from '../../apimachinery/selectors/label-selector-as-selector.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { PolicyRule } from '../../apis/rbac/v1/types.gen.ts';
import type { Log } from '../../observability/logging.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Lead } from '../../registry/leases/lease.ts';
import type { ServedKind } from '../../registry/registry.ts';
import type { CachedObject } from '../../watchcache/watch-cache.ts';
import { WorkQueue } from '../work-queue.ts';
import type { BootstrapRole } from './bootstrap-policy.ts';

export interface ClusterRoleAggregationOptions {
  readonly clusterRoles: ServedKind;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

/** Owns the rules. */
const MANAGER = 'clusterrole-aggregation-controller';

/** Ends when the cache was filled again, since changes may have been missed. */
export const createClusterRoleAggregation =
  ({ clusterRoles: { store, cache, compiled }, clock, log, metrics }: ClusterRoleAggregationOptions): Lead =>
  async (signal) => {
    const queue = new WorkQueue<string>({
      name: 'ClusterRoleAggregator',
      clock,
      metrics,
      failed: (name, error) => log.warn('rules of a cluster role could not be aggregated, retrying', { name, error }),
    });
    // The assertion is safe: the cache holds only objects of this kind.
    const roleOf = ({ itemBytes }: CachedObject) => compiled.codec.parseStored(itemBytes) as unknown as BootstrapRole;
    const aggregated = new Set<string>();
    const note = (object: CachedObject) => {
      if (roleOf(object).aggregationRule === undefined) aggregated.delete(object.name);
      else aggregated.add(object.name);
    };
    // Any role may be selected by any other.
    const addAll = () => {
      for (const name of aggregated) queue.add(name);
    };
    const refilled = new AbortController();
    const unsubscribe = cache.subscribe({
      changed: ({ current, previous }) => {
        if (current !== undefined) note(current);
        else if (previous !== undefined) aggregated.delete(previous.name);
        addAll();
      },
      replaced: () => refilled.abort(),
    });

    const rulesOf = (name: string, { aggregationRule }: BootstrapRole): readonly PolicyRule[] => {
      const rules: PolicyRule[] = [];
      for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
        const { selector: labels } = labelSelectorAsSelector(selector);
        if (labels === undefined) continue;
        for (const object of cache.snapshot().page({ selection: { labels } }).objects) {
          if (object.name === name) continue;
          for (const rule of roleOf(object).rules ?? []) if (!rules.some((each) => isDeepStrictEqual(each, rule))) rules.push(rule);
        }
      }
      return rules;
    };

    const aggregate = async (name: string): Promise<void> => {
      const patch = ({ object }: { readonly object: BootstrapRole }): BootstrapRole => {
        if (object.aggregationRule === undefined) return object;
        const rules = rulesOf(name, object);
        return isDeepStrictEqual(object.rules ?? [], rules) ? object : { ...object, rules };
      };
      const write = { dryRun: false, fieldManager: MANAGER, signal };
      try {
        await store.update({ namespace: '', name }, '', { by: 'patch', patch }, write);
      } catch (error) {
        if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
      }
    };

    try {
      for (const object of cache.snapshot().page({ selection: {} }).objects) note(object);
      addAll();
      await queue.run(1, aggregate, AbortSignal.any([signal, refilled.signal]));
    } finally {
      unsubscribe();
    }
  };
