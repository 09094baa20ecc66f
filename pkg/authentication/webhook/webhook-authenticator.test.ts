import { describe, expect, it } from '@jest/globals';
import { toBearerToken } from '../bearer-token.ts';
import { refusalOf } from '../unauthorized.ts';
import { createWebhookAuthenticator } from './webhook-authenticator.ts';

const OWN = ['this-server'];
const JANE = { username: 'jane', uid: '42', groups: ['dev'], extra: { 'example.com/a': ['b'] } };
const AUTHENTICATED = { status: { authenticated: true, user: JANE } };

function open(answer: (review: unknown) => unknown) {
  const time = { now: 0 };
  const reviews: unknown[] = [];
  const authenticator = createWebhookAuthenticator({
    apiVersion: 'authentication.k8s.io/v1',
    post: async (review) => {
      reviews.push(review);
      return answer(review);
    },
    audiences: OWN,
    cacheMs: 120_000,
    clock: { now: () => time.now },
    onAnswer: () => undefined,
  });
  const ask = async (token: string, audiences: readonly string[] = OWN) =>
    authenticator.authenticateToken({ token: toBearerToken(Buffer.from(token)), audiences });
  const refusal = async (token: string) => ask(token).then((found) => found, refusalOf);
  return { ask, refusal, reviews, time };
}

describe('A webhook for tokens', () => {
  it('is sent the token and the audiences, and tells who it is', async () => {
    const { ask, reviews } = open(() => AUTHENTICATED);
    expect(await ask('tök')).toEqual({
      user: { name: 'jane', uid: '42', groups: ['dev'], extra: { 'example.com/a': ['b'] } },
      audiences: OWN,
    });
    expect(reviews).toEqual([
      {
        kind: 'TokenReview',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: {},
        spec: { token: 'tök', audiences: OWN },
        status: { user: {} },
      },
    ]);
  });

  it('is not asked again for a while, nor twice at once', async () => {
    const { ask, reviews, time } = open(() => AUTHENTICATED);
    const [first, second] = await Promise.all([ask('a'), ask('a')]);
    expect(second?.user).toBe(first?.user);
    time.now = 119_999;
    expect((await ask('a'))?.user).toBe(first?.user);
    expect(reviews).toHaveLength(1);
    time.now = 120_000;
    await ask('a');
    await ask('b');
    await ask('a', ['vault', 'this-server']);
    expect(reviews).toHaveLength(4);
  });

  it.each<[unknown, object | undefined]>([
    [{ status: { authenticated: false } }, undefined],
    [{ status: {} }, undefined],
    [{ status: { authenticated: false, error: 'it was revoked' } }, { message: 'it was revoked', isUndecided: false }],
    [{ status: { authenticated: true, user: JANE, audiences: ['other'] } }, undefined],
    [{ status: { authenticated: true, user: JANE, audiences: ['other', 'this-server'] } }, { audiences: OWN }],
    [
      { status: { authenticated: true, user: {} } },
      { isUndecided: true, message: 'the webhook cannot be asked: the answer names no user' },
    ],
    [{}, { isUndecided: true, message: 'the webhook cannot be asked: the answer is no TokenReview' }],
    [null, { isUndecided: true }],
  ])('may answer %j', async (answer, expected) => {
    const found = await open(() => answer).refusal('a');
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });

  it('that is down leaves tokens undecided, except those that are remembered', async () => {
    let isDown = false;
    const { ask, refusal, reviews } = open(() => {
      if (isDown) throw new Error('no answer within 10000 ms');
      return AUTHENTICATED;
    });
    await ask('a');
    isDown = true;
    expect(await ask('a')).toBeDefined();
    expect(await refusal('b')).toMatchObject({ isUndecided: true, message: 'the webhook cannot be asked: no answer within 10000 ms' });
    isDown = false;
    expect(await ask('b')).toBeDefined();
    expect(reviews).toHaveLength(3);
  });
});
