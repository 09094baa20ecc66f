import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { waitFor } from '../../../test/support/wait.ts';
import type { AccessRequest, PathAccess, ResourceAccess } from '../authorizer.ts';
import { createWebhookAuthorizer, type WebhookAuthorizerOptions } from './webhook-authorizer.ts';

const jane = { name: 'jane', uid: '7', groups: ['dev'], extra: { 'example.com/a': ['b'] } };
const toVersion: PathAccess = { isResource: false, user: { name: 'jane', groups: [] }, verb: 'get', path: '/version' };
const toList: ResourceAccess = {
  isResource: true,
  user: jane,
  verb: 'list',
  group: 'batch',
  version: 'v1',
  resource: 'cronjobs',
  subresource: '',
  namespace: 'default',
  name: '',
};

class Failure extends Error {
  readonly isTimeout: boolean;
  readonly isTransient: boolean;

  constructor({ isTimeout = false, isTransient = false } = {}) {
    super('no answer');
    this.isTimeout = isTimeout;
    this.isTransient = isTransient;
  }
}

function open(answer: (review: string) => object | string, more: Partial<WebhookAuthorizerOptions> = {}) {
  const clock = new ManualClock(0);
  const reviews: unknown[] = [];
  const calls: string[] = [];
  const authorizer = createWebhookAuthorizer({
    group: 'authorization.k8s.io',
    version: 'v1',
    post: async (review) => {
      reviews.push(JSON.parse(review));
      const given = answer(review);
      return typeof given === 'string' ? given : JSON.stringify({ status: given });
    },
    failureOf: (error) => (error instanceof Failure ? error : new Failure()),
    allowedMs: 300_000,
    notAllowedMs: 30_000,
    failurePolicy: 'NoOpinion',
    clock,
    random: () => 0,
    onCall: (result) => calls.push(result),
    onFailOpen: (result) => calls.push(`fail open: ${result}`),
    onFailure: () => undefined,
    ...more,
  });
  return { ask: async (request: AccessRequest = toList) => authorizer.authorize(request), authorizer, reviews, calls, clock };
}

const fails = (failure?: { isTimeout?: boolean; isTransient?: boolean }) => () => {
  throw new Failure(failure);
};

describe('A webhook for access', () => {
  it('is sent what a request wants to do', async () => {
    const { ask, reviews } = open(() => ({}));
    const selectors = () => ({
      fields: [{ key: 'metadata.name', operator: 'In', values: ['x'] } as const],
      labels: [{ key: 'app', operator: 'Exists' } as const],
    });
    await ask({ ...toList, selectors });
    await ask(toVersion);
    expect(reviews).toEqual([
      {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: {},
        spec: {
          resourceAttributes: {
            namespace: 'default',
            verb: 'list',
            group: 'batch',
            version: 'v1',
            resource: 'cronjobs',
            fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'In', values: ['x'] }] },
            labelSelector: { requirements: [{ key: 'app', operator: 'Exists' }] },
          },
          user: 'jane',
          groups: ['dev'],
          extra: { 'example.com/a': ['b'] },
          uid: '7',
        },
        status: { allowed: false },
      },
      {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: {},
        spec: { nonResourceAttributes: { path: '/version', verb: 'get' }, user: 'jane' },
        status: { allowed: false },
      },
    ]);
  });

  it('is sent the groups under another name in the older version', async () => {
    const { ask, reviews } = open(() => ({}), { version: 'v1beta1' });
    await ask();
    expect(reviews).toMatchObject([{ apiVersion: 'authorization.k8s.io/v1beta1', spec: { group: ['dev'] } }]);
  });

  it.each([
    [{ allowed: true }, { decision: 'allow' }],
    [
      { allowed: true, reason: 'boss' },
      { decision: 'allow', reason: 'boss' },
    ],
    [
      { allowed: false, denied: true, reason: 'never' },
      { decision: 'deny', reason: 'never' },
    ],
    [
      { allowed: false, reason: 'unknown' },
      { decision: 'noOpinion', reason: 'unknown' },
    ],
    [{}, { decision: 'noOpinion' }],
    ['{}', { decision: 'noOpinion' }],
    [
      { allowed: true, denied: true },
      { decision: 'deny', error: 'webhook subject access review returned both allow and deny response' },
    ],
  ])('decides by %j', async (answer, decision) => {
    expect(await open(() => answer).ask()).toEqual(decision);
  });

  it.each([
    ['junk', 'the answer is no JSON'],
    ['[]', 'the answer is no object'],
    ['{"kind":"Pod","apiVersion":"v1"}', 'the answer is "Pod" of "v1", not SubjectAccessReview of authorization.k8s.io/v1'],
    ['{"status":{"allowed":"true"}}', 'status.allowed and status.denied must be true or false'],
    ['{"status":{"allowed":true,"reason":1}}', 'status.reason must be a string'],
  ])('decides nothing by %s', async (answer, error) => {
    expect(await open(() => answer).ask()).toEqual({ decision: 'noOpinion', error });
    expect(await open(() => answer, { failurePolicy: 'Deny' }).ask()).toEqual({ decision: 'deny', error });
  });

  it('is not asked again for a while, nor twice at once', async () => {
    const { ask, reviews, clock } = open((review) => ({ allowed: review.includes('jane') }));
    const other = { ...toList, user: { ...jane, name: 'bob' } };
    await Promise.all([ask(), ask(), ask(other)]);
    clock.advance(29_999);
    await Promise.all([ask(), ask(other)]);
    expect(reviews).toHaveLength(2);
    clock.advance(1);
    await Promise.all([ask(), ask(other)]);
    expect(reviews).toHaveLength(3);
    clock.advance(270_000);
    expect(await ask()).toEqual({ decision: 'allow' });
    expect(reviews).toHaveLength(4);
  });

  it.each([
    ['another group', { user: { ...jane, groups: ['ops'] } }],
    ['another uid', { user: { ...jane, uid: '8' } }],
    ['another value of extra', { user: { ...jane, extra: { 'example.com/a': ['c'] } } }],
    ['another name', { name: 'x' }],
    ['a selector', { selectors: () => ({ fields: [], labels: [{ key: 'a', operator: 'Exists' } as const] }) }],
  ])('is asked again about %s', async (_, change) => {
    const { ask, reviews } = open(() => ({ allowed: true }));
    await ask();
    await ask({ ...toList, ...change });
    expect(reviews).toHaveLength(2);
  });

  it('is asked again if answers are not to be remembered, or the question is too long', async () => {
    const { ask, reviews } = open((review) => ({ allowed: review.includes('jane') }), { allowedMs: 0, notAllowedMs: 0 });
    for (const name of ['jane', 'jane', 'bob', 'bob']) await ask({ ...toList, user: { ...jane, name } });
    expect(reviews).toHaveLength(4);
    const long = open(() => ({ allowed: true }));
    for (const name of ['x'.repeat(9_900), 'x'.repeat(9_900), 'x'.repeat(10_000), 'x'.repeat(10_000)]) await long.ask({ ...toList, name });
    expect(long.reviews).toHaveLength(3);
  });

  it('that fails decides as the policy says, and is asked again', async () => {
    const { ask, calls } = open(fails());
    expect([await ask(), await ask()]).toEqual(Array(2).fill({ decision: 'noOpinion', error: 'no answer' }));
    expect(calls).toEqual(['error', 'fail open: error', 'error', 'fail open: error']);
    const denying = open(fails({ isTimeout: true }), { failurePolicy: 'Deny' });
    expect(await denying.ask()).toEqual({ decision: 'deny', error: 'no answer' });
    expect(denying.calls).toEqual(['timeout']);
  });

  it('that may recover is asked five times, with growing pauses', async () => {
    const { ask, calls, clock } = open(fails({ isTransient: true }));
    const answer = ask();
    for (const pauseMs of [500, 750, 1125, 1687.5]) {
      await waitFor(() => clock.sleepers === 1, { what: 'a pause' });
      clock.advance(pauseMs - 1);
      expect(clock.sleepers).toBe(1);
      clock.advance(1);
    }
    expect(await answer).toEqual({ decision: 'noOpinion', error: 'no answer' });
    expect(calls).toEqual([...Array<string>(5).fill('error'), 'fail open: error']);
  });

  it('that recovers decides', async () => {
    let calls = 0;
    const { ask, clock } = open(() => {
      if (++calls === 1) throw new Failure({ isTransient: true });
      return { allowed: true };
    });
    const answer = ask();
    await waitFor(() => clock.sleepers === 1, { what: 'a pause' });
    clock.advance(500);
    expect(await answer).toEqual({ decision: 'allow' });
  });

  it('has no rules to show', async () => {
    expect(await open(() => ({})).authorizer.rulesFor(jane, 'default')).toEqual({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    });
  });
});
