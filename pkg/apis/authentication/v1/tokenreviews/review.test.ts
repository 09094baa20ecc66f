import { describe, expect, it } from '@jest/globals';
import { NO_TOKENS, testRequester } from '../../../../../test/support/requester.ts';
import type { TokenVerdict } from '../../../review.ts';
import { createReview } from './review.ts';

const review = createReview('example.org');

async function ask(spec: object, verdict: TokenVerdict = {}) {
  const asked: unknown[] = [];
  const tokens = {
    ...NO_TOKENS,
    audiences: ['api'],
    review: async (token: string, audiences: readonly string[]) => {
      asked.push([token, audiences]);
      return verdict;
    },
  };
  const question = { kind: 'TokenReview', apiVersion: 'authentication.example.org/v1', metadata: { name: 'n' }, spec: { ...spec } };
  const answer = await review.answer({ ...question, status: { authenticated: true } }, testRequester({ tokens }));
  return { asked, answer };
}

describe('TokenReview', () => {
  it('tells whose a token is', async () => {
    const user = { name: 'alice', uid: '42', groups: ['dev'], extra: { a: ['b'] } };
    const { asked, answer } = await ask({ token: 't', audiences: ['x', 'y'] }, { user, audiences: ['x'] });
    expect(asked).toEqual([['t', ['x', 'y']]]);
    expect(answer).toEqual({
      metadata: { name: 'n' },
      spec: { token: 't', audiences: ['x', 'y'] },
      status: { authenticated: true, user: { username: 'alice', uid: '42', groups: ['dev'], extra: { a: ['b'] } }, audiences: ['x'] },
    });
  });

  it('tells why a token is not valid, for this server unless it names others', async () => {
    expect((await ask({ token: 't' }, { error: 'invalid bearer token' })).answer['status']).toEqual({
      user: {},
      error: 'invalid bearer token',
    });
    const { asked, answer } = await ask({ token: 't' });
    expect([asked, answer['status']]).toEqual([[['t', ['api']]], { user: {} }]);
  });

  it('needs a token', async () => {
    await expect(ask({})).rejects.toMatchObject({ reason: 'BadRequest', message: 'token is required for TokenReview in authentication' });
  });
});
