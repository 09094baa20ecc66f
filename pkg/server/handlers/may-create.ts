/** An update or apply that creates an object also requires the verb `create`. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import { forbidden } from '../filters/forbidden.ts';
import { authorizedNamespace } from '../filters/parse-request-info.ts';
import type { ResourceCall } from './resource-call.ts';

/** Throws StatusError Forbidden, or InternalError when nobody can decide. */
export async function assertMayCreate(authorizer: Authorizer, { context: { user }, info }: ResourceCall): Promise<void> {
  const { group, version, resource, subresource, name } = info;
  const namespace = authorizedNamespace(info);
  const request = { isResource: true, user, verb: 'create', group, version, resource, subresource, namespace, name } as const;
  const { decision, reason, error } = await authorizer.authorize(request);
  if (decision === 'allow') return;
  if (error !== undefined) {
    throw new StatusError('InternalError', `Internal error occurred: ${error}`, {
      details: { causes: [{ reason: 'InternalError', message: error }] },
    });
  }
  throw forbidden(request, reason);
}
