import { describe, expect, it } from '@jest/globals';
import { parseQuery } from './query.ts';
import { parseRequestInfo } from './parse-request-info.ts';

const info = (method: string, path: string, query = '') => parseRequestInfo(method, path, parseQuery(query));
const resource = { isResource: true, namespace: '', name: '', subresource: '', watchPath: false, extraSegments: false };
const cronJobs = { ...resource, group: 'batch', version: 'v1', resource: 'cronjobs' };

describe('requestInfo', () => {
  it.each([
    ['GET', '/apis/batch/v1/cronjobs', '', { ...cronJobs, verb: 'list' }],
    ['GET', '/apis/batch/v1/cronjobs/', '', { ...cronJobs, verb: 'list' }],
    ['GET', '/apis/batch/v1/cronjobs', 'watch=true', { ...cronJobs, verb: 'watch' }],
    ['GET', '/apis/batch/v1/cronjobs', 'watch=', { ...cronJobs, verb: 'watch' }],
    ['GET', '/apis/batch/v1/cronjobs', 'watch=False', { ...cronJobs, verb: 'list' }],
    ['GET', '/apis/batch/v1/cronjobs', 'watch=0', { ...cronJobs, verb: 'list' }],
    ['GET', '/apis/batch/v1/namespaces/a/cronjobs', '', { ...cronJobs, verb: 'list', namespace: 'a' }],
    ['GET', '/apis/batch/v1/namespaces/a/cronjobs/b', '', { ...cronJobs, verb: 'get', namespace: 'a', name: 'b' }],
    ['GET', '/apis/batch/v1/namespaces/a/cronjobs/b', 'watch=1', { ...cronJobs, verb: 'get', namespace: 'a', name: 'b' }],
    ['PUT', '/apis/batch/v1/namespaces/a/cronjobs/b', '', { ...cronJobs, verb: 'update', namespace: 'a', name: 'b' }],
    ['PATCH', '/apis/batch/v1/namespaces/a/cronjobs/b', '', { ...cronJobs, verb: 'patch', namespace: 'a', name: 'b' }],
    ['DELETE', '/apis/batch/v1/namespaces/a/cronjobs/b', '', { ...cronJobs, verb: 'delete', namespace: 'a', name: 'b' }],
    ['DELETE', '/apis/batch/v1/namespaces/a/cronjobs', '', { ...cronJobs, verb: 'deletecollection', namespace: 'a' }],
    ['POST', '/apis/batch/v1/namespaces/a/cronjobs', '', { ...cronJobs, verb: 'create', namespace: 'a' }],
    ['POST', '/apis/batch/v1/namespaces/a/cronjobs/b', '', { ...cronJobs, verb: 'unknown', namespace: 'a', name: 'b' }],
    ['HEAD', '/apis/batch/v1/cronjobs', '', { ...cronJobs, verb: 'unknown' }],
    [
      'GET',
      '/apis/batch/v1/namespaces/a/cronjobs/b/status',
      '',
      { ...cronJobs, verb: 'get', namespace: 'a', name: 'b', subresource: 'status' },
    ],
    [
      'GET',
      '/apis/batch/v1/namespaces/a/cronjobs/b/status/c',
      '',
      { ...cronJobs, verb: 'get', namespace: 'a', name: 'b', subresource: 'status', extraSegments: true },
    ],
    ['GET', '/apis/batch/v1/watch/cronjobs', '', { ...cronJobs, verb: 'watch', watchPath: true }],
    ['GET', '/apis/batch/v1/watch/namespaces/a/cronjobs/b', '', { ...cronJobs, verb: 'watch', watchPath: true, namespace: 'a', name: 'b' }],
    ['DELETE', '/apis/batch/v1/watch/cronjobs', '', { ...cronJobs, verb: 'unknown', watchPath: true }],
    ['GET', '/apis/batch/v1/namespaces/a%20b/cronjobs/%C3%A9', '', { ...cronJobs, verb: 'get', namespace: 'a b', name: 'é' }],
    ['GET', '/api/v1/events', '', { ...resource, group: '', version: 'v1', resource: 'events', verb: 'list' }],
    [
      'GET',
      '/apis/batch/v1/namespaces/a',
      '',
      { ...resource, group: 'batch', version: 'v1', resource: 'namespaces', name: 'a', verb: 'get' },
    ],
  ])('%s %s %s', (method, path, query, expected) => {
    expect(info(method, path, query)).toEqual(expected);
  });

  it.each([
    ['/', '/', []],
    ['/apis', '/apis', ['apis']],
    ['/apis/', '/apis/', ['apis']],
    ['/apis/batch/v1', '/apis/batch/v1', ['apis', 'batch', 'v1']],
    ['/readyz/ping', '/readyz/ping', ['readyz', 'ping']],
  ])('reads %s as no resource', (path, plain, segments) => {
    expect(info('GET', path)).toEqual({ isResource: false, verb: 'get', path: plain, segments });
  });

  it.each([
    '/apis/batch/v1/namespaces/a%2fb/cronjobs',
    '/apis/batch/v1/namespaces/a%2Fb/cronjobs',
    '/apis/batch/v1/namespaces/../cronjobs',
    '/apis/batch/v1/namespaces/%2e%2e/cronjobs',
    '/apis/batch/v1/./cronjobs',
    '/apis/batch//cronjobs',
    '//apis/batch',
    '/apis/batch/v1/cronjobs//',
    '/apis/batch/v1/cronjobs/%',
    '/apis/batch/v1/cronjobs/%ff',
    '/apis/batch/v1/cronjobs/a%00b',
    'http://elsewhere/apis',
    '*',
  ])('refuses %s', (path) => {
    expect(() => info('GET', path)).toThrow(expect.objectContaining({ reason: 'BadRequest' }));
  });
});
