/** The sender of a question, for tests of reviews. What a test does not give must not be asked for. */
import type { Requester, TokenService } from '../../pkg/apis/review.ts';

const refuse = (): never => {
  throw new Error('the review asks for what the test does not give');
};

export const NO_TOKENS: TokenService = {
  audiences: ['https://coxswain.example'],
  review: refuse,
  uidOf: refuse,
  maxExpirationSeconds: undefined,
  issue: refuse,
};

export const testRequester = (given: Partial<Requester> = {}): Requester => ({
  user: { name: 'tester', groups: [] },
  nowMs: 0,
  target: { namespace: '', name: '' },
  tokens: NO_TOKENS,
  warn: refuse,
  signal: new AbortController().signal,
  decide: refuse,
  decideFor: refuse,
  rulesIn: refuse,
  ...given,
});
