/**
 * Asks a webhook who may do what (SubjectAccessReview). Answers are remembered for a while. While the webhook cannot be
 * asked, those that are remembered stay in use; for others the failure policy decides.
 */
import { BoundedMap } from '../../apimachinery/recent/bounded-map.ts';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { NO_RULES } from '../authorizer.ts';
import type { AccessDecision, AccessRequest, Authorizer, RuleResolver } from '../authorizer.ts';
import { readVerdict, type ReviewType, type ReviewVerdict, writeReview } from './subject-access-review.ts';

export interface WebhookAuthorizerOptions extends ReviewType {
  /** The body of the response. Rejects with an Error for people. */
  readonly post: (review: string) => Promise<string>;
  readonly failureOf: (error: unknown) => WebhookFailure;
  /** How long answers are remembered. 0: not at all. */
  readonly allowedMs: number;
  readonly notAllowedMs: number;
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** After each call of `post`. */
  readonly onCall: (result: WebhookCallResult, milliseconds: number) => void;
  /** A failure that leaves the decision to others. */
  readonly onFailOpen: (result: WebhookCallResult) => void;
  readonly onFailure: (problem: string) => void;
}

export interface WebhookFailure {
  readonly isTimeout: boolean;
  /** It may pass, so it is worth asking again. */
  readonly isTransient: boolean;
}

export type WebhookCallResult = 'success' | 'timeout' | 'error';

interface RememberedDecision {
  readonly decision: AccessDecision;
  readonly until: number;
}

const MAX_REMEMBERED = 8192;
/** What is longer is not remembered, as clients could fill the memory. */
const MAX_REMEMBERED_TEXT = 10_000;
const MAX_CALLS = 5;
const FIRST_PAUSE_MS = 500;
const PAUSE_FACTOR = 1.5;
const PAUSE_JITTER = 0.2;

export function createWebhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer & RuleResolver {
  const { clock, allowedMs, notAllowedMs } = options;
  const remembered = new BoundedMap<string, RememberedDecision>(MAX_REMEMBERED);
  const asking = new Map<string, Promise<AccessDecision>>();

  const decide = async (review: string, isRemembered: boolean): Promise<AccessDecision> => {
    let verdict;
    try {
      verdict = await ask(review, options);
    } catch (error) {
      const problem = errorMessage(error);
      options.onFailure(problem);
      return { decision: options.failurePolicy === 'Deny' ? 'deny' : 'noOpinion', error: problem };
    }
    const decision = toDecision(verdict);
    const ttl = verdict.allowed ? allowedMs : notAllowedMs;
    if (isRemembered && ttl > 0) remembered.set(review, { decision, until: clock.now() + ttl });
    return decision;
  };

  return {
    authorize: (request) => {
      const review = writeReview(request, options);
      const known = remembered.get(review);
      if (known !== undefined && clock.now() < known.until) return known.decision;
      let answer = asking.get(review);
      if (answer === undefined) {
        answer = decide(review, textOf(request) < MAX_REMEMBERED_TEXT).finally(() => asking.delete(review));
        asking.set(review, answer);
      }
      return answer;
    },
    rulesFor: () => ({ ...NO_RULES, incomplete: true, evaluationError: 'webhook authorizer does not support user rule resolution' }),
  };
}

/** The length of what the client chooses. */
function textOf(request: AccessRequest): number {
  if (!request.isResource) return request.path.length + request.verb.length;
  const { namespace, verb, group, version, resource, subresource, name } = request;
  return [namespace, verb, group, version, resource, subresource, name].reduce((sum, part) => sum + part.length, 0);
}

function toDecision({ allowed, denied, reason }: ReviewVerdict): AccessDecision {
  const why = reason === undefined ? {} : { reason };
  if (allowed && denied) {
    return { decision: 'deny', ...why, error: 'webhook subject access review returned both allow and deny response' };
  }
  return { decision: allowed ? 'allow' : denied ? 'deny' : 'noOpinion', ...why };
}

async function ask(review: string, options: WebhookAuthorizerOptions): Promise<ReviewVerdict> {
  const { post, failureOf, clock, random, onCall, onFailOpen, failurePolicy } = options;
  for (let call = 1, pauseMs = FIRST_PAUSE_MS; ; call++, pauseMs *= PAUSE_FACTOR) {
    const startedAt = performance.now();
    try {
      const verdict = readVerdict(await post(review), options);
      onCall('success', performance.now() - startedAt);
      return verdict;
    } catch (error) {
      const { isTimeout, isTransient } = failureOf(error);
      const result = isTimeout ? 'timeout' : 'error';
      onCall(result, performance.now() - startedAt);
      if (!isTransient || call === MAX_CALLS) {
        if (failurePolicy === 'NoOpinion') onFailOpen(result);
        throw error;
      }
    }
    await clock.sleep(pauseMs * (1 + random() * PAUSE_JITTER));
  }
}
