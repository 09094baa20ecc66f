import { describe, expect, it } from '@jest/globals';
import { testRequester } from '../../../../../test/support/requester.ts';
import type { Requester } from '../../../review.ts';
import { createReview } from './review.ts';

const review = createReview('example.org');
const requester = (user: Requester['user']): Requester => testRequester({ user, nowMs: Date.UTC(2026, 2, 14, 15, 9, 26, 535) });
const question = { kind: 'SelfSubjectReview', apiVersion: 'authentication.example.org/v1', metadata: {} };

describe('SelfSubjectReview', () => {
  it('tells all that is known of the user, and when', () => {
    const user = { name: 'alice', uid: '42', groups: ['dev', 'system:authenticated'], extra: { 'example.com/scopes': ['a', 'b'] } };
    expect(review.answer(question, requester(user))).toEqual({
      metadata: { creationTimestamp: '2026-03-14T15:09:26Z' },
      status: {
        userInfo: {
          username: 'alice',
          uid: '42',
          groups: ['dev', 'system:authenticated'],
          extra: { 'example.com/scopes': ['a', 'b'] },
        },
      },
    });
  });

  it('leaves out what the credentials did not say', () => {
    expect(review.answer(question, requester({ name: 'bob', groups: [] }))).toMatchObject({
      status: { userInfo: { username: 'bob', groups: [] } },
    });
    expect(JSON.stringify(review.answer(question, requester({ name: 'bob', groups: [] })))).not.toMatch(/uid|extra/);
  });

  it('does not repeat what was sent', () => {
    const sent = { ...question, metadata: { name: 'x', labels: { a: 'b' } }, status: { userInfo: { username: 'admin' } } };
    expect(review.answer(sent, requester({ name: 'bob', groups: [] }))).toEqual(
      review.answer(question, requester({ name: 'bob', groups: [] })),
    );
  });
});
