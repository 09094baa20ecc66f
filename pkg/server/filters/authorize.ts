/** Authorizes the request before anything reveals whether the resource exists. */
import { forbidden } from './forbidden.ts';
import type { AccessDecision, AccessRequest, Authorizer } from '../../authorization/authorizer.ts';
import type { AuthenticatedContext, Filter } from './context.ts';
import { authorizedNamespace } from './parse-request-info.ts';
import { impersonationOf } from './impersonation.ts';
import { statusResponse } from '../responses/status-response.ts';

export interface AuthorizeOptions {
  readonly authorizer: Authorizer;
}

export const authorize =
  ({ authorizer }: AuthorizeOptions): Filter<AuthenticatedContext> =>
  (next) =>
  (context) => {
    const request = toAccessRequest(context);
    const impersonation = impersonationOf(context.request.headers, context.user);
    if (impersonation !== undefined) return Promise.resolve(refusal(impersonation, undefined));
    const decide = ({ decision, reason }: AccessDecision) =>
      decision === 'allow' ? next(context) : Promise.resolve(refusal(request, reason));
    const decided = authorizer.authorize(request);
    return decided instanceof Promise ? decided.then(decide) : decide(decided);
  };

// The message repeats what the client sent; a browser must not render it as a page.
const refusal = (request: AccessRequest, reason: string | undefined) =>
  statusResponse(forbidden(request, reason), { 'X-Content-Type-Options': 'nosniff' });

function toAccessRequest({ info, user, request: { method } }: AuthenticatedContext): AccessRequest {
  if (!info.isResource) return { isResource: false, user, verb: info.verb, path: info.path };
  const { group, version, resource, subresource, name } = info;
  const namespace = authorizedNamespace(info);
  const verb = info.verb === 'unknown' ? (VERBS[method] ?? '') : info.verb;
  return { isResource: true, user, verb, group, version, resource, subresource, namespace, name };
}

/** Verbs that Kubernetes derives from the method alone, for methods that the path does not support. */
const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
