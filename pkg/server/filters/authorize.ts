/** Authorizes the request before anything reveals whether the resource exists. */
import { type AccessMeterOptions, createAuthorizationMeter } from './access-meters.ts';
import { toAccessRequest } from './access-request.ts';
import { forbidden, withoutMarkup } from './forbidden.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { AccessDecision, AccessRequest, Authorizer } from '../../authorization/authorizer.ts';
import type { AuthenticatedContext, Filter } from './context.ts';
import { statusResponse, textResponse } from '../responses/status-response.ts';
import type { ApiRequest, FixedResponse } from '../transports/request.ts';

export interface AuthorizeOptions extends AccessMeterOptions {
  readonly authorizer: Authorizer;
}

export const authorize = (options: AuthorizeOptions): Filter<AuthenticatedContext> => {
  const { authorizer, monotonicNow } = options;
  const measure = createAuthorizationMeter(options);
  return (next) => (context) => {
    const request = toAccessRequest(context, context.user);
    const startedAt = monotonicNow();
    const decide = (decided: AccessDecision) => {
      measure(startedAt, decided);
      const { decision, reason, error } = decided;
      const isAllowed = decision === 'allow';
      if (!isAllowed && error !== undefined) {
        context.audit?.notDecided();
        return Promise.resolve(undecided(context.request, error));
      }
      context.audit?.decided(isAllowed, reason);
      return isAllowed ? next(context) : Promise.resolve(refusal(request, reason));
    };
    const decided = authorizer.authorize(request);
    return decided instanceof Promise ? decided.then(decide) : decide(decided);
  };
};

/** In plain text, as in Kubernetes. */
function undecided({ path, query }: ApiRequest, error: string): FixedResponse {
  const uri = query === '' ? path : `${path}?${query}`;
  return textResponse(500, `${withoutMarkup(`Internal Server Error: ${quotedText(uri)}: ${error}`)}\n`);
}

// The message repeats what the client sent; a browser must not render it as a page.
const refusal = (request: AccessRequest, reason: string | undefined) =>
  statusResponse(forbidden(request, reason), { 'X-Content-Type-Options': 'nosniff' });
