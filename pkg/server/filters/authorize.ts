/** Authorizes the request before anything reveals whether the resource exists. */
import { toAccessRequest } from './access-request.ts';
import { forbidden } from './forbidden.ts';
import type { AccessDecision, AccessRequest, Authorizer } from '../../authorization/authorizer.ts';
import type { AuthenticatedContext, Filter } from './context.ts';
import { statusResponse } from '../responses/status-response.ts';

export interface AuthorizeOptions {
  readonly authorizer: Authorizer;
}

export const authorize =
  ({ authorizer }: AuthorizeOptions): Filter<AuthenticatedContext> =>
  (next) =>
  (context) => {
    const request = toAccessRequest(context, context.user);
    const decide = ({ decision, reason }: AccessDecision) => {
      const isAllowed = decision === 'allow';
      context.audit?.decided(isAllowed, reason);
      return isAllowed ? next(context) : Promise.resolve(refusal(request, reason));
    };
    const decided = authorizer.authorize(request);
    return decided instanceof Promise ? decided.then(decide) : decide(decided);
  };

// The message repeats what the client sent; a browser must not render it as a page.
const refusal = (request: AccessRequest, reason: string | undefined) =>
  statusResponse(forbidden(request, reason), { 'X-Content-Type-Options': 'nosniff' });
