import { describe, expect, it } from '@jest/globals';
import { testRequester } from '../../../../../test/support/requester.ts';
import type { AccessAnswer, RequestedAccess } from '../../../review.ts';
import { createReview } from './review.ts';

const review = createReview('example.org');

/** The requested access and the status of the answer. */
async function ask(spec: object, decision: AccessAnswer) {
  const decided: RequestedAccess[] = [];
  const requester = testRequester({
    decide: async (access) => {
      decided.push(access);
      return decision;
    },
  });
  const question = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.example.org/v1', metadata: {}, spec: { ...spec } };
  const answer = await review.answer({ ...question, status: { allowed: true, reason: 'so they say' } }, requester);
  const { status, ...rest } = answer;
  expect(rest).toEqual(question);
  return { decided, status };
}
const ALLOW: AccessAnswer = { decision: 'allow' };

describe('SelfSubjectAccessReview', () => {
  it('asks for the very access that a request would need', async () => {
    const resourceAttributes = {
      verb: 'update',
      group: 'batch',
      version: 'v1',
      resource: 'cronjobs',
      subresource: 'status',
      namespace: 'a',
      name: 'b',
    };
    expect((await ask({ resourceAttributes }, ALLOW)).decided).toEqual([{ isResource: true, ...resourceAttributes }]);
    expect((await ask({ nonResourceAttributes: { verb: 'get', path: '/metrics' } }, ALLOW)).decided).toEqual([
      { isResource: false, verb: 'get', path: '/metrics' },
    ]);
  });

  it('asks for any version where none is named', async () => {
    expect((await ask({ resourceAttributes: { verb: 'get' } }, ALLOW)).decided).toEqual([
      { isResource: true, verb: 'get', group: '', version: '*', resource: '', subresource: '', namespace: '', name: '' },
    ]);
  });

  it.each<[AccessAnswer, object]>([
    [ALLOW, { allowed: true }],
    [{ decision: 'noOpinion' }, { allowed: false }],
    [
      { decision: 'noOpinion', reason: 'nobody said so' },
      { allowed: false, reason: 'nobody said so' },
    ],
    [
      { decision: 'deny', reason: 'it is late' },
      { allowed: false, denied: true, reason: 'it is late' },
    ],
  ])('tells %j, whatever status was sent', async (decision, status) => {
    expect((await ask({ resourceAttributes: {} }, decision)).status).toEqual(status);
  });

  it('tells what of a selector was passed over', async () => {
    const { status } = await ask({ resourceAttributes: { fieldSelector: { rawSelector: '!' } } }, ALLOW);
    expect(status).toEqual({ allowed: true, evaluationError: 'spec.resourceAttributes.fieldSelector ignored due to parse error' });
  });

  it('decides nothing about what is no question', async () => {
    const question = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.example.org/v1', metadata: { name: 'x' } };
    await expect(Promise.resolve(review.answer(question, testRequester()))).rejects.toMatchObject({
      reason: 'Invalid',
      details: {
        group: 'authorization.example.org',
        kind: 'SelfSubjectAccessReview',
        causes: [{ field: 'spec.resourceAttributes' }, { field: 'metadata' }],
      },
    });
  });
});
