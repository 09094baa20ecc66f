import { describe, expect, it } from '@jest/globals';
import { testRequester } from '../../../../../test/support/requester.ts';
import type { Requester, KnownRules } from '../../../review.ts';
import { createReview } from './review.ts';

const review = createReview('example.org');
const RULES: KnownRules = {
  resourceRules: [{ verbs: ['get'], apiGroups: ['batch'], resources: ['cronjobs'], resourceNames: ['a'] }],
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }],
  incomplete: true,
  evaluationError: 'one could not say',
};
const requester = (rulesIn: Requester['rulesIn']): Requester => testRequester({ rulesIn });
const question = (spec: object) => ({
  kind: 'SelfSubjectRulesReview',
  apiVersion: 'authorization.example.org/v1',
  metadata: { name: 'x', labels: { a: 'b' } },
  spec: { ...spec },
});

describe('SelfSubjectRulesReview', () => {
  it('answers with the rules of the namespace, and with nothing of the question', async () => {
    const asked: string[] = [];
    const rulesIn = async (namespace: string) => {
      asked.push(namespace);
      return RULES;
    };
    expect(await review.answer(question({ namespace: 'default' }), requester(rulesIn))).toEqual({ metadata: {}, spec: {}, status: RULES });
    expect(asked).toEqual(['default']);
  });

  it.each([{}, { namespace: '' }])('refuses %j, which names no namespace', async (spec) => {
    const answered = Promise.resolve(
      review.answer(
        question(spec),
        requester(async () => RULES),
      ),
    );
    await expect(answered).rejects.toMatchObject({ reason: 'BadRequest', message: 'no namespace on request' });
  });
});
