/** Impersonation (`Impersonate-User`, `kubectl --as`). */
import type { ApiRequest } from '../transports/request.ts';
import type { ResourceAccess } from '../../authorization/authorizer.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';

const PREFIX = 'impersonate-';

/**
 * The access that impersonation requires; undefined when none is requested. No user has it yet. Such a request must
 * never run with the rights of its sender, which may be a proxy with admin rights.
 */
export function impersonationOf(headers: ApiRequest['headers'], user: UserInfo): ResourceAccess | undefined {
  for (const header in headers) {
    if (!header.startsWith(PREFIX)) continue;
    const target = { resource: 'users', name: headers['impersonate-user'] ?? '' };
    return { isResource: true, user, verb: 'impersonate', group: '', version: 'v1', subresource: '', namespace: '', ...target };
  }
  return undefined;
}
