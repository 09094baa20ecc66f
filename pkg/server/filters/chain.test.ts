import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../../observability/metrics.ts';
import { silentLog } from '../../observability/logging.ts';
import { WRITE_STEPS } from '../../registry/pipeline.ts';
import { jsonValueResponse } from '../handlers/json-response.ts';
import { createPathRouter } from '../handlers/path-router.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { createResourceIndex } from '../handlers/resource-index.ts';
import { createResourceRouter } from '../handlers/resource-router.ts';
import { createVerbHandlers } from '../handlers/verb-handlers.ts';
import { createFeatures } from '../../apimachinery/features/features.ts';
import { createChain, type ChainOptions } from './chain.ts';
import { GZIP_FROM_BYTES } from './compress.ts';
import { OpenRequests } from './drain.ts';
import { AllowedOrigins } from './origins.ts';
import { DEFAULT_SIZE_LIMITS } from './size-limits.ts';

const options: ChainOptions = {
  newUid: () => 'uid',
  random: () => 0,
  metrics: createMetrics({ version: 'v1.36.0', now: () => 0, processMetrics: false }),
  monotonicNow: () => 0,
  clock: systemClock,
  log: silentLog,
  requestTimeoutMs: 1000,
  authenticator: { authenticate: () => undefined },
  authorizer: { authorize: () => ({ decision: 'noOpinion' }) },
  resourceRouter: createResourceRouter({
    index: createResourceIndex([], { resources: [], subresourcesOf: () => ({}) }),
    handlers: createVerbHandlers({
      features: createFeatures(),
      clock: systemClock,
      authorizer: { authorize: () => ({ decision: 'noOpinion' }) },
      minWatchMs: 1,
      random: () => 0,
    }),
    writesNotReady: () => undefined,
  }),
  pathRouter: createPathRouter([]),
  openRequests: new OpenRequests(),
  allowedOrigins: new AllowedOrigins([]),
  authenticationGroup: 'authentication.k8s.io',
  sizeLimits: DEFAULT_SIZE_LIMITS,
};
const { steps } = createChain(options);

async function documented(section: string): Promise<string[]> {
  const text = await readFile(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
  const [, list = ''] = new RegExp(`<!-- ${section} -->\n([^]*?)<!-- /${section} -->`).exec(text) ?? [];
  return [...list.matchAll(/^\d+\. \*\*(.*?)\*\*/gm)].map(([, name = '']) => name);
}

describe('The chain', () => {
  it('has this order', () => {
    expect(steps).toEqual([
      'request id',
      'measure',
      'goaway',
      'drain',
      'schedule',
      'cors',
      'encode',
      'recovery',
      'deadline',
      'host guard',
      'upgrade guard',
      'loopback guard',
      'size limits',
      'requestInfo',
      'websocket guard',
      'authenticate',
      'audit',
      'impersonate',
      'flow control',
      'authorize',
      'handler',
    ]);
  });

  it('is what docs/architecture.md prints', async () => {
    expect(await documented('chain')).toEqual(steps);
  });

  it('is followed by the pipeline that docs/architecture.md prints', async () => {
    expect(await documented('pipeline')).toEqual([...WRITE_STEPS]);
  });

  it('tells caches that a compressed answer is for one origin', async () => {
    const origin = 'https://console.example.com';
    const large = { path: '/large', get: () => jsonValueResponse(200, 'x'.repeat(GZIP_FROM_BYTES)) };
    const { respond } = createChain({
      ...options,
      allowedOrigins: new AllowedOrigins([/^https:\/\/console\.example\.com$/]),
      authenticator: { authenticate: () => ({ name: 'jane', groups: [] }) },
      authorizer: { authorize: () => ({ decision: 'allow' }) },
      pathRouter: createPathRouter([large]),
    });
    const { headers } = await respond({
      method: 'GET',
      path: large.path,
      query: '',
      headers: { origin, 'accept-encoding': 'gzip' },
      protocol: 'http/1.1',
      secure: true,
      remoteAddress: '192.0.2.1',
      readBody: async () => Buffer.alloc(0),
      onDisconnect: () => undefined,
    });
    expect(headers).toMatchObject({
      'Content-Encoding': 'gzip',
      Vary: 'Accept-Encoding, Origin',
      'Access-Control-Allow-Origin': origin,
    });
  });
});
