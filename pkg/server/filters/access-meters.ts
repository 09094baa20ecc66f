/**
 * Metrics of authentication, authorization and impersonation, with the labels of Kubernetes. Every request passes here,
 * so series are looked up once.
 */
import type { AccessDecision, Authorizer } from '../../authorization/authorizer.ts';
import type { Counter, Family, Histogram } from '../../observability/instruments.ts';
import type { Metrics } from '../../observability/metrics.ts';

export interface AccessMeterOptions {
  readonly metrics: Metrics;
  /** Milliseconds of a monotonic clock. */
  readonly monotonicNow: () => number;
}

/** Counts and times one outcome, which began at `startedAt`. */
type Outcome = (startedAt: number) => void;

const outcome = (total: Counter, seconds: Histogram, monotonicNow: () => number): Outcome => {
  return (startedAt) => {
    total.inc();
    seconds.observe((monotonicNow() - startedAt) / 1000);
  };
};

/** Other names would make a series for each user. */
const NAMED_USERS = ['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default'];

export function createAuthenticationMeter({ metrics, monotonicNow }: AccessMeterOptions) {
  const of = (result: string): Outcome =>
    outcome(metrics.authenticationAttempts.with(result), metrics.authenticationDurationSeconds.with(result), monotonicNow);
  const named = new Map(NAMED_USERS.map((name) => [name, metrics.authenticatedUserRequests.with(name)]));
  const [email, other] = [metrics.authenticatedUserRequests.with('email_id'), metrics.authenticatedUserRequests.with('other')];
  const success = of('success');
  return {
    succeeded: (startedAt: number, user: string) => {
      (named.get(user) ?? (user.includes('@') ? email : other)).inc();
      success(startedAt);
    },
    /** Without credentials. */
    failed: of('failure'),
    /** With credentials that are not valid. */
    refused: of('error'),
  };
}

export function createAuthorizationMeter({ metrics, monotonicNow }: AccessMeterOptions) {
  const of = (result: string): Outcome =>
    outcome(metrics.authorizationAttemptsTotal.with(result), metrics.authorizationDurationSeconds.with(result), monotonicNow);
  const error = of('error');
  const outcomes = { allow: of('allowed'), deny: of('denied'), noOpinion: of('no-opinion') };
  return (startedAt: number, decided: AccessDecision): void => {
    const meter = decided.decision !== 'allow' && decided.error !== undefined ? error : outcomes[decided.decision];
    meter(startedAt);
  };
}

export type ImpersonationModeName = 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';

export function createImpersonationMeter({ metrics, monotonicNow }: AccessMeterOptions) {
  const { impersonationAttemptsTotal: attempts, impersonationAttemptsDurationSeconds: attemptSeconds } = metrics;
  const { impersonationAuthorizationAttemptsTotal: checks, impersonationAuthorizationAttemptsDurationSeconds: checkSeconds } = metrics;
  const byMode = (total: Family<Counter>, seconds: Family<Histogram>, decision: string) =>
    lazily((mode) => outcome(total.with(mode, decision), seconds.with(mode, decision), monotonicNow));
  const [allowed, refused] = [byMode(attempts, attemptSeconds, 'allowed'), byMode(attempts, attemptSeconds, 'denied')];
  const [checkAllowed, checkRefused] = [byMode(checks, checkSeconds, 'allowed'), byMode(checks, checkSeconds, 'denied')];
  return {
    allowed: (startedAt: number, mode: ImpersonationModeName) => allowed(mode)(startedAt),
    /** By all modes. */
    refused: (startedAt: number) => refused('')(startedAt),
    /** The same decisions, each counted. */
    measured: (authorizer: Authorizer, mode: ImpersonationModeName): Authorizer => ({
      authorize: async (request) => {
        const startedAt = monotonicNow();
        const decided = await authorizer.authorize(request);
        (decided.decision === 'allow' ? checkAllowed : checkRefused)(mode)(startedAt);
        return decided;
      },
    }),
  };
}

/** Series are made when they are needed, as most servers never see impersonation. */
function lazily(make: (mode: string) => Outcome): (mode: string) => Outcome {
  const made = new Map<string, Outcome>();
  return (mode) => {
    let found = made.get(mode);
    if (found === undefined) made.set(mode, (found = make(mode)));
    return found;
  };
}
