/** Counts tokens as the cache of Kubernetes does: a hit is what is known without a computation or a question. */
import type { Counter, Family, Gauge, Histogram } from '../observability/instruments.ts';
import type { TokenAuthenticator } from './bearer-token.ts';

export interface TokenCacheMetrics {
  /** status: hit, miss */
  readonly tokenCacheRequestTotal: Family<Counter>;
  readonly tokenCacheRequestDurationSeconds: Family<Histogram>;
  /** status: ok, error */
  readonly tokenCacheFetchTotal: Family<Counter>;
  /** status: in_flight */
  readonly tokenCacheActiveFetchCount: Family<Gauge>;
}

/** `monotonicNow`: milliseconds. */
export function measureTokens(tokens: TokenAuthenticator, metrics: TokenCacheMetrics, monotonicNow: () => number): TokenAuthenticator {
  const requests = (status: string) => metrics.tokenCacheRequestTotal.with(status);
  const seconds = (status: string) => metrics.tokenCacheRequestDurationSeconds.with(status);
  const [hits, misses, hitSeconds, missSeconds] = [requests('hit'), requests('miss'), seconds('hit'), seconds('miss')];
  const [ok, failed] = [metrics.tokenCacheFetchTotal.with('ok'), metrics.tokenCacheFetchTotal.with('error')];
  const active = metrics.tokenCacheActiveFetchCount.with('in_flight');
  const hit = () => {
    hits.inc();
    hitSeconds.observe(0);
  };
  return {
    authenticateToken: (question) => {
      const startedAt = monotonicNow();
      let found;
      try {
        found = tokens.authenticateToken(question);
      } catch (error) {
        hit();
        throw error;
      }
      if (!(found instanceof Promise)) {
        hit();
        return found;
      }
      misses.inc();
      active.add(1);
      const settle = (fetches: Counter) => {
        fetches.inc();
        active.add(-1);
        missSeconds.observe((monotonicNow() - startedAt) / 1000);
      };
      return found.then(
        (user) => {
          settle(ok);
          return user;
        },
        (error: unknown) => {
          settle(failed);
          throw error;
        },
      );
    },
  };
}
