import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../../observability/metrics.ts';
import { silentLog } from '../../observability/logging.ts';
import { WRITE_STEPS } from '../../registry/pipeline.ts';
import { createPathTable } from '../handlers/path-table.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { createResourceTable } from '../handlers/resource-table.ts';
import { chainSteps } from './chain.ts';
import { OpenRequests } from './drain.ts';
import { AllowedOrigins } from './origins.ts';
import { DEFAULT_SIZE_LIMITS } from './size-limits.ts';

const steps = chainSteps({
  newUid: () => 'uid',
  metrics: createMetrics({ version: 'v1.36.0', now: () => 0, processMetrics: false }),
  monotonicNow: () => 0,
  log: silentLog,
  requestTimeoutMs: 1000,
  authenticator: { authenticate: () => undefined },
  authorizer: { authorize: () => ({ decision: 'noOpinion' }) },
  resourceTable: createResourceTable({
    resources: [],
    clock: systemClock,
    authorizer: { authorize: () => ({ decision: 'noOpinion' }) },
    writesNotReady: () => undefined,
    minWatchMs: 1,
    random: () => 0,
  }),
  pathTable: createPathTable([]),
  openRequests: new OpenRequests(),
  allowedOrigins: new AllowedOrigins([]),
  sizeLimits: DEFAULT_SIZE_LIMITS,
}).map(([name]) => name);

async function documented(section: string): Promise<string[]> {
  const text = await readFile(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
  const [, list = ''] = new RegExp(`<!-- ${section} -->\n([^]*?)<!-- /${section} -->`).exec(text) ?? [];
  return [...list.matchAll(/^\d+\. (.*)$/gm)].map(([, name = '']) => name);
}

describe('The chain', () => {
  it('has this order', () => {
    expect(steps).toEqual([
      'request id',
      'measure',
      'drain',
      'encode',
      'cors',
      'recovery',
      'deadline',
      'loopback guard',
      'size limits',
      'requestInfo',
      'websocket guard',
      'authenticate',
      'audit',
      'flow control',
      'authorize',
    ]);
  });

  it('is what docs/architecture.md prints', async () => {
    expect(await documented('chain')).toEqual([...steps, 'handler']);
  });

  it('is followed by the pipeline that docs/architecture.md prints', async () => {
    expect(await documented('pipeline')).toEqual([...WRITE_STEPS]);
  });
});
