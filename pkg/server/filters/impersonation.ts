/** Requests in another user's name (`Impersonate-User`, `kubectl --as`). */
import type { ApiRequest } from '../transports/request.ts';
import type { ResourceAccess } from '../../authorization/authorizer.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';

const PREFIX = 'impersonate-';

/**
 * Who asks for it, and as whom. Nobody may: a request that was sent to be done with the rights of another user is never done with those
 * of its sender, who may be a proxy that is an admin.
 */
export function impersonationOf(headers: ApiRequest['headers'], user: UserInfo): ResourceAccess | undefined {
  for (const header in headers) {
    if (!header.startsWith(PREFIX)) continue;
    const asked = { resource: 'users', name: headers['impersonate-user'] ?? '' };
    return { isResource: true, user, verb: 'impersonate', group: '', version: 'v1', subresource: '', namespace: '', ...asked };
  }
  return undefined;
}
