/** Decides whether the user may do it, before anything says whether it exists. */
import { forbidden } from './forbidden.ts';
import type { AccessDecision, AccessRequest, Authorizer } from '../../authorization/authorizer.ts';
import type { Filter, RequestContext } from './context.ts';
import { impersonationOf } from './impersonation.ts';
import { statusResponse } from './write-status.ts';

export interface AuthorizeOptions {
  readonly authorizer: Authorizer;
}

export const authorize =
  ({ authorizer }: AuthorizeOptions): Filter =>
  (next) =>
  (context) => {
    const request = toAccessRequest(context);
    const impersonation = impersonationOf(context.request.headers, request.user);
    if (impersonation !== undefined) return Promise.resolve(refusal(impersonation, undefined));
    const decide = ({ decision, reason }: AccessDecision) =>
      decision === 'allow' ? next(context) : Promise.resolve(refusal(request, reason));
    const decided = authorizer.authorize(request);
    return decided instanceof Promise ? decided.then(decide) : decide(decided);
  };

// The message repeats what the client sent: no browser may take it for a page.
const refusal = (request: AccessRequest, reason: string | undefined) =>
  statusResponse(forbidden(request, reason), { 'X-Content-Type-Options': 'nosniff' });

function toAccessRequest({ info, user, request: { method } }: RequestContext): AccessRequest {
  if (info === undefined || user === undefined) throw new Error('the steps that fill in requestInfo and user must run before');
  if (!info.isResource) return { isResource: false, user, verb: info.verb, path: info.path };
  const { group, version, resource, subresource, namespace, name } = info;
  const verb = info.verb === 'unknown' ? (VERBS[method] ?? '') : info.verb;
  return { isResource: true, user, verb, group, version, resource, subresource, namespace, name };
}

/** Of methods that this path does not have: what Kubernetes makes of the method alone. */
const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
