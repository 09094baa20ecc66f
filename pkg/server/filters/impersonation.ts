/** Requests in another user's name (`Impersonate-User`, `kubectl --as`). */
import type { ApiRequest } from '../transports/request.ts';
import type { ResourceAccess } from '../../authorization/authorizer.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';

const PREFIX = 'impersonate-';

/**
 * The access that impersonation would need; undefined: the request asks for none. Nobody has it yet. Such a request
 * must never run with the rights of its sender, which may be a proxy with an admin's rights.
 */
export function impersonationOf(headers: ApiRequest['headers'], user: UserInfo): ResourceAccess | undefined {
  for (const header in headers) {
    if (!header.startsWith(PREFIX)) continue;
    const target = { resource: 'users', name: headers['impersonate-user'] ?? '' };
    return { isResource: true, user, verb: 'impersonate', group: '', version: 'v1', subresource: '', namespace: '', ...target };
  }
  return undefined;
}
