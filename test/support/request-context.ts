/** The context that a handler gets, for tests of a single step or handler. */
import { RequestContext, type AuthenticatedContext, type BoundedContext } from '../../pkg/server/filters/context.ts';
import type { UserInfo } from '../../pkg/authentication/authenticator.ts';
import type { RequestInfo } from '../../pkg/server/filters/parse-request-info.ts';
import type { ApiRequest } from '../../pkg/server/transports/request.ts';

export interface TestFacts {
  readonly info?: RequestInfo;
  readonly user?: UserInfo;
}

const ROOT: RequestInfo = { isResource: false, verb: 'get', path: '/', segments: [] };

/** The context before requestInfo and authentication. */
export const boundedContext = (request: ApiRequest): BoundedContext =>
  Object.assign(new RequestContext(request, 0), { auditId: 'a', maxBodyBytes: 1 << 20 });

export const testContext = (
  request: ApiRequest,
  { info = ROOT, user = { name: 'tester', groups: [] } }: TestFacts = {},
): AuthenticatedContext => Object.assign(boundedContext(request), { info, user });
