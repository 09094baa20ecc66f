import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../observability/metrics.ts';
import { toBearerToken, type TokenAuthenticator } from './bearer-token.ts';
import { measureTokens } from './measured-tokens.ts';
import { unauthorized } from './unauthorized.ts';

const question = { token: toBearerToken(Buffer.from('a')), audiences: [] };
const found = { user: { name: 'jane', groups: [] }, audiences: [] };

async function measured(authenticateToken: TokenAuthenticator['authenticateToken'], times = 1) {
  const metrics = createMetrics({ version: '', now: () => 0, processMetrics: false });
  const tokens = measureTokens({ authenticateToken }, metrics, () => 0);
  const results = [];
  for (let time = 0; time < times; time++) {
    results.push(
      await Promise.resolve()
        .then(() => tokens.authenticateToken(question))
        .catch(() => 'refused'),
    );
  }
  const lines = (await metrics.expose())
    .split('\n')
    .filter((line) => /^authentication_token_cache_(request|fetch)_total|_count/.test(line));
  return { results, series: lines.filter((line) => line.startsWith('authentication_token_cache') && !line.endsWith(' 0')) };
}

const series = (...lines: readonly string[]) => lines.map((line) => `authentication_token_cache_${line}`);

describe('Tokens', () => {
  it('that are known are hits, valid or not', async () => {
    const hits = series('request_total{status="hit"} 2', 'request_duration_seconds_count{status="hit"} 2');
    expect(await measured(() => found, 2)).toEqual({ results: [found, found], series: hits });
    const refuse = () => {
      throw unauthorized('expired');
    };
    expect(await measured(refuse, 2)).toEqual({ results: ['refused', 'refused'], series: hits });
  });

  it('that must be looked up are misses and fetches', async () => {
    const misses = series('request_total{status="miss"} 1', 'request_duration_seconds_count{status="miss"} 1');
    expect(await measured(async () => found)).toEqual({ results: [found], series: [...misses, ...series('fetch_total{status="ok"} 1')] });
    expect(await measured(async () => Promise.reject(unauthorized('no')))).toEqual({
      results: ['refused'],
      series: [...misses, ...series('fetch_total{status="error"} 1')],
    });
  });
});
