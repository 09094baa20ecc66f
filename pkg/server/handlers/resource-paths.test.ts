/** Objects have one path: a namespace in it, or its absence, never leads to objects of another scope. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openInProcessApi, type InProcessApi } from '../../../test/support/in-process-api.ts';

let api: InProcessApi;
beforeAll(async () => {
  api = await openInProcessApi({ authorize: () => ({ decision: 'allow' }) });
});
afterAll(() => api.close());

const RBAC = '/apis/rbac.authorization.example.io/v1';
const codeOf = async (method: string, path: string) => (await api.send(method, path, '{}', 'application/json')).code;

describe('A path', () => {
  it('with a namespace has no objects that are in none', async () => {
    expect((await api.send('POST', `${RBAC}/clusterroles`, { metadata: { name: 'x' } }, 'application/json')).code).toBe(201);
    for (const path of [
      `${RBAC}/namespaces/a/clusterroles`,
      `${RBAC}/namespaces/a/clusterroles/x`,
      `${RBAC}/watch/namespaces/a/clusterroles`,
    ])
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) expect([path, await codeOf(method, path)]).toEqual([path, 404]);
    expect(await codeOf('GET', `${RBAC}/clusterroles/x`)).toBe(200);
  });

  it('without one has no single object that is in one', async () => {
    expect((await api.send('POST', '/api/v1/namespaces/a/configmaps', { metadata: { name: 'x' } }, 'application/json')).code).toBe(201);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) expect(await codeOf(method, '/api/v1/configmaps/x')).toBe(404);
    for (const method of ['POST', 'DELETE']) expect(await codeOf(method, '/api/v1/configmaps')).toBe(405);
    expect(await codeOf('GET', '/api/v1/namespaces/a/configmaps/x')).toBe(200);
  });
});
