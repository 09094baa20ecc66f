/** An update or apply that creates an object also requires the verb `create`. */
import type { Authorizer } from '../../authorization/authorizer.ts';
import { forbidden } from '../filters/forbidden.ts';
import { authorizedNamespace } from '../filters/parse-request-info.ts';
import type { ResourceCall } from './resource-call.ts';

/** Throws StatusError Forbidden. */
export async function assertMayCreate(authorizer: Authorizer, { context: { user }, info }: ResourceCall): Promise<void> {
  const { group, version, resource, subresource, name } = info;
  const namespace = authorizedNamespace(info);
  const request = { isResource: true, user, verb: 'create', group, version, resource, subresource, namespace, name } as const;
  const { decision, reason } = await authorizer.authorize(request);
  if (decision !== 'allow') throw forbidden(request, reason);
}
