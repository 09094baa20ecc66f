import { describe, expect, it } from '@jest/globals';
import { NO_RULES, type AccessDecision } from './authorizer.ts';
import { countDecisions } from './count-decisions.ts';

const request = { isResource: false, user: { name: 'jane', groups: [] }, verb: 'get', path: '/x' } as const;

describe('Counted decisions', () => {
  it('are those that end the chain, given at once or later', async () => {
    const counts = { allowed: 0, denied: 0 };
    const counters = { allowed: { inc: () => counts.allowed++ }, denied: { inc: () => counts.denied++ } };
    const ask = async (decision: AccessDecision['decision'], isLater: boolean) => {
      const answer: AccessDecision = { decision };
      const authorizer = { authorize: () => (isLater ? Promise.resolve(answer) : answer), rulesFor: () => NO_RULES };
      expect(await countDecisions(authorizer, counters).authorize(request)).toBe(answer);
    };
    for (const isLater of [false, true]) {
      await ask('allow', isLater);
      await ask('allow', isLater);
      await ask('deny', isLater);
      await ask('noOpinion', isLater);
    }
    expect(counts).toEqual({ allowed: 4, denied: 2 });
  });
});
