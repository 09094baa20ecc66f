/** The name that permission is asked for, when a selector names one object. */
import { describe, expect, it } from '@jest/globals';
import { testContext } from '../../../test/support/request-context.ts';
import { toAccessRequest } from './access-request.ts';
import { parseRequestInfo } from './parse-request-info.ts';
import { parseQuery } from './query.ts';

function askedFor(query: string, { method = 'GET', path = '/api/v1/namespaces/a/configmaps' } = {}): unknown {
  const request = {
    ...({ method, path, query, headers: {}, protocol: 'h2', secure: true, remoteAddress: '' } as const),
    readBody: async () => Buffer.alloc(0),
    onDisconnect: () => undefined,
  };
  const context = testContext(request, { info: parseRequestInfo(method, path, parseQuery(query)) });
  const access = toAccessRequest(context, context.user);
  return access.isResource ? [access.verb, access.name] : access;
}

describe('Permission to read a collection', () => {
  it.each([
    ['fieldSelector=metadata.name=x', ['list', 'x']],
    ['fieldSelector=metadata.name%3D%3Dx&limit=1', ['list', 'x']],
    ['field%53elector=metadata.name=x', ['list', 'x']],
    ['watch=1&fieldSelector=metadata.name=x', ['watch', 'x']],
    ['fieldSelector=metadata.name=x,metadata.name=y', ['list', 'x']],
    ['fieldSelector=metadata.name=x&fieldSelector=metadata.name=y', ['list', 'x']],
    ['fieldSelector=metadata.name!=x', ['list', '']],
    ['fieldSelector=metadata.name=x%2Fy', ['list', '']],
    ['fieldSelector=metadata.name=..', ['list', '']],
    ['fieldSelector=(', ['list', '']],
    ['labelSelector=metadata.name=x', ['list', '']],
    ['', ['list', '']],
  ])('with the query %j is that for %j', (query, expected) => {
    expect(askedFor(query)).toEqual(expected);
  });
});

describe('Permission for other requests', () => {
  it('does not follow a selector', () => {
    const query = 'fieldSelector=metadata.name=x';
    expect(askedFor(query, { method: 'DELETE' })).toEqual(['deletecollection', '']);
    expect(askedFor(query, { method: 'POST' })).toEqual(['create', '']);
    expect(askedFor(query, { path: '/api/v1/watch/namespaces/a/configmaps' })).toEqual(['watch', '']);
    expect(askedFor(query, { path: '/api/v1/namespaces/a/configmaps/y' })).toEqual(['get', 'y']);
  });
});
