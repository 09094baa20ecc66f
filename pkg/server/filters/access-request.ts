/** What a request wants to do, for authorization and audit. */
import type { AccessRequest } from '../../authorization/authorizer.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import type { RoutedContext } from './context.ts';
import { authorizedNamespace, type ResourceRequest } from './parse-request-info.ts';

export function toAccessRequest({ info, request: { method } }: RoutedContext, user: UserInfo): AccessRequest {
  if (!info.isResource) return { isResource: false, user, verb: info.verb, path: info.path };
  const { group, version, resource, subresource, name } = info;
  const namespace = authorizedNamespace(info);
  return { isResource: true, user, verb: accessVerb(method, info), group, version, resource, subresource, namespace, name };
}

/** Kubernetes derives a verb for every method, whether the path supports it or not. */
function accessVerb(method: string, { verb, name, watchPath }: ResourceRequest): string {
  if (watchPath) return 'watch';
  if (verb !== 'unknown') return verb;
  switch (method) {
    case 'HEAD':
      return name === '' ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    default:
      return '';
  }
}
