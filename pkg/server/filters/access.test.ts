import { systemClock } from '../../apimachinery/time/clock.ts';
import { describe, expect, it } from '@jest/globals';
import { boundedContext } from '../../../test/support/request-context.ts';
import type { Authenticator } from '../../authentication/authenticator.ts';
import { createAuthenticator } from '../../authentication/create-authenticator.ts';
import { createTestAuthorizer } from '../../../test/support/rbac-authorizer.ts';
import { createMetrics } from '../../observability/metrics.ts';
import { type LogFields, silentLog } from '../../observability/logging.ts';
import type { ApiRequest, ApiResponse } from '../transports/request.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import type { BoundedContext, RequestHandler } from './context.ts';
import { forbidden } from './forbidden.ts';
import { requestInfo } from './request-info.ts';

const authenticatorOf = (enabled: boolean) => createAuthenticator({ tokens: [], audiences: [], anonymous: () => ({ enabled }) });

const reached: ApiResponse = { code: 200, headers: {}, body: [] };

const contextOf = (method: string, path: string, more: Partial<ApiRequest> = {}): BoundedContext =>
  boundedContext({
    method,
    path,
    query: '',
    headers: {},
    protocol: 'http/1.1',
    secure: true,
    remoteAddress: '192.0.2.1',
    readBody: async () => Buffer.alloc(0),
    onDisconnect: () => undefined,
    ...more,
  });

const measured = { metrics: createMetrics({ version: '', now: () => 0, processMetrics: false }), monotonicNow: () => 0 };
const time = { clock: systemClock, ...measured };

const chain = (authenticator: Authenticator, log = silentLog): RequestHandler<BoundedContext> =>
  requestInfo(
    authenticate({ authenticator, log, ...time })(authorize({ authorizer: createTestAuthorizer(), ...measured })(async () => reached)),
  );

async function ask(context: BoundedContext, authenticator = authenticatorOf(true)) {
  const answer = await chain(authenticator)(context);
  if (!('body' in answer)) throw new Error('not fixed');
  const text = Buffer.concat(answer.body).toString('utf8');
  return { code: answer.code, headers: answer.headers, status: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

describe('Authorization', () => {
  it.each([
    ['GET', '/apis', 'forbidden: User "system:anonymous" cannot get path "/apis"', {}],
    ['POST', '/healthz', 'forbidden: User "system:anonymous" cannot post path "/healthz"', {}],
    ['GET', '/<b>&', 'forbidden: User "system:anonymous" cannot get path "/&lt;b&gt;&amp;"', {}],
    [
      'GET',
      '/apis/batch/v1/namespaces/default/cronjobs',
      'cronjobs.batch is forbidden: User "system:anonymous" cannot list resource "cronjobs" in API group "batch" in the namespace "default"',
      { group: 'batch', kind: 'cronjobs' },
    ],
    [
      'DELETE',
      '/apis/batch/v1/namespaces/default/cronjobs/x',
      'cronjobs.batch "x" is forbidden: User "system:anonymous" cannot delete resource "cronjobs" in API group "batch" in the namespace "default"',
      { name: 'x', group: 'batch', kind: 'cronjobs' },
    ],
    [
      'PUT',
      '/apis/storage.k8s.io/v1/volumeattachments/x/status',
      'volumeattachments.storage.k8s.io "x" is forbidden: User "system:anonymous" cannot update resource "volumeattachments/status" in API group "storage.k8s.io" at the cluster scope',
      { name: 'x', group: 'storage.k8s.io', kind: 'volumeattachments' },
    ],
    [
      'GET',
      '/api/v1/pods',
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
      { kind: 'pods' },
    ],
    [
      'PUT',
      '/apis/made.up/v9/things',
      'things.made.up is forbidden: User "system:anonymous" cannot update resource "things" in API group "made.up" at the cluster scope',
      { group: 'made.up', kind: 'things' },
    ],
  ])('refuses %s %s in the words of Kubernetes', async (method, path, message, details) => {
    const answer = await ask(contextOf(method, path));
    expect(answer.code).toBe(403);
    expect(answer.headers).toEqual({ 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' });
    expect(answer.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Forbidden',
      details,
      code: 403,
    });
  });

  it('appends the reason of an authorizer', () => {
    const user = { name: 'x', groups: [] };
    expect(forbidden({ isResource: false, user, verb: 'get', path: '/a' }, 'not today').message).toBe(
      'forbidden: User "x" cannot get path "/a": not today',
    );
  });

  it('lets everyone see health, and the insecure port everything', async () => {
    expect((await ask(contextOf('GET', '/livez'))).code).toBe(200);
    expect((await ask(contextOf('GET', '/apis', { secure: false }))).code).toBe(200);
  });

  it('waits for an authenticator and an authorizer that take their time', async () => {
    const authenticator: Authenticator = { authenticate: async () => ({ name: 'late', groups: [] }) };
    const late = authorize({ authorizer: { authorize: async () => ({ decision: 'noOpinion', reason: 'late' }) }, ...measured })(
      async () => reached,
    );
    const answer = await requestInfo(authenticate({ authenticator, log: silentLog, ...time })(late))(contextOf('GET', '/livez'));
    expect(answer.code).toBe(403);
  });

  it('refuses what is denied as it refuses what nobody allows', async () => {
    const authenticator: Authenticator = { authenticate: () => ({ name: 'alice', groups: [] }) };
    const denied = authorize({ authorizer: { authorize: () => ({ decision: 'deny', reason: 'never' }) }, ...measured })(
      async () => reached,
    );
    const answer = await requestInfo(authenticate({ authenticator, log: silentLog, ...time })(denied))(contextOf('GET', '/livez'));
    expect([answer.code, 'body' in answer && Buffer.concat(answer.body).toString()]).toEqual([403, expect.stringContaining(': never')]);
  });
});

describe('Authentication', () => {
  const wrong = { authorization: 'Bearer wrong-secret' };

  it('comes first: wrong credentials see not even health', async () => {
    await expect(async () => ask(contextOf('GET', '/livez', { headers: wrong }))).rejects.toMatchObject({
      code: 401,
      message: 'Unauthorized',
      details: undefined,
    });
  });

  it('lets nobody in without credentials when anonymous requests are not allowed', async () => {
    const strict = authenticatorOf(false);
    await expect(async () => ask(contextOf('GET', '/livez'), strict)).rejects.toMatchObject({ code: 401, message: 'Unauthorized' });
    await expect(async () => ask(contextOf('GET', '/livez'), { authenticate: async () => undefined })).rejects.toMatchObject({ code: 401 });
  });

  it('writes to the log why, but no credentials', async () => {
    const lines: (LogFields | undefined)[] = [];
    const log = { ...silentLog, debug: (_: string, fields?: LogFields) => void lines.push(fields) };
    const step = chain(authenticatorOf(true), log);
    await expect(async () => step(contextOf('GET', '/apis', { headers: wrong }))).rejects.toMatchObject({ code: 401 });
    expect(lines).toEqual([{ auditId: 'a', remoteAddress: '192.0.2.1', reason: 'invalid bearer token' }]);
  });
});
