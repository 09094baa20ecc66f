import { describe, expect, it } from '@jest/globals';
import { kindNamed } from '../../../test/registry/test-registry.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { writeEnvelope } from '../../schema/protobuf/envelope.ts';
import { parseQuery } from '../filters/query.ts';
import { parseRequestInfo } from '../filters/parse-request-info.ts';
import { createDeleteOptionsReader, parseDeleteOptions } from './delete-options.ts';
import { createFeatures } from '../../apimachinery/features/features.ts';
import { parseGetOptions, parseListOptions } from './list-options.ts';
import type { RequestBody } from './resource-call.ts';
import { parseWatchOptions } from './watch-options.ts';
import { managerOf, parseWriteOptions } from './write-options.ts';

const cronJob = kindNamed('CronJob');

const reader = createDeleteOptionsReader();
const jsonBody = (text: string): RequestBody => ({ encoding: 'json', bytes: Buffer.from(text) });
const protobufBody = (kind: string, apiVersion: string, options: JsonObject): RequestBody => ({
  encoding: 'protobuf',
  bytes: writeEnvelope({ kind, apiVersion }, reader.message.encode(options)),
});

/** `422 resourceVersionMatch:Forbidden`, or `400`. */
function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const causes = (error.details?.causes ?? []).map(({ field = '', reason }) => `${field}:${reason.replace('FieldValue', '')}`);
    return [error.code, ...causes].join(' ');
  }
  return 'taken';
}

function infoOf(path: string, query: string) {
  const info = parseRequestInfo('GET', path, parseQuery(query));
  if (!info.isResource) throw new Error('no resource');
  return info;
}
const defaults = createFeatures();
const sharding = createFeatures(new Map([['ShardedListAndWatch', true]]));
const listOf = (query: string, kind = cronJob, features = defaults) =>
  parseListOptions(parseQuery(query), kind, infoOf('/apis/batch/v1/cronjobs', query), features);
const watchOf = (query: string, path = '/apis/batch/v1/cronjobs') =>
  parseWatchOptions(parseQuery(query), cronJob, infoOf(path, query), defaults);

describe('list options', () => {
  it('names the known fields when one is not', () => {
    expect(() => listOf('fieldSelector=spec.x%3D1')).toThrow(
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  it.each(['metadata.name=a', 'metadata.name=a,metadata.name!=b'])(
    'has no exact revision of the one object that %s selects',
    (selector) => {
      const query = `limit=5&resourceVersion=7&fieldSelector=${encodeURIComponent(selector)}`;
      expect(listOf(query, kindNamed('VolumeAttachment'))).toMatchObject({ at: { at: 'notOlderThan', revision: 7 } });
      // It may be one in each namespace.
      expect(listOf(query)).toMatchObject({ at: { at: 'exactly', revision: 7 } });
    },
  );

  it('takes metadata.namespace of a cluster-wide kind, whose objects have an empty one', () => {
    expect(listOf('fieldSelector=metadata.namespace%3D', kindNamed('VolumeAttachment')).selection.fields?.requirements).toHaveLength(1);
  });

  it.each([
    ['', { at: { at: 'newest' }, limit: 0 }],
    ['limit=5', { at: { at: 'newest' }, limit: 5 }],
    ['limit=-1', { at: { at: 'newest' }, limit: 0 }],
    ['resourceVersion=0', { at: { at: 'any' }, limit: 0 }],
    ['resourceVersion=0&limit=5', { at: { at: 'any' }, limit: 5 }],
    ['resourceVersion=7', { at: { at: 'notOlderThan', revision: 7 }, limit: 0 }],
    ['resourceVersion=7&limit=5', { at: { at: 'exactly', revision: 7 }, limit: 5 }],
    ['resourceVersion=18446744073709551615', { at: { at: 'notOlderThan', revision: Number.MAX_SAFE_INTEGER }, limit: 0 }],
    ['resourceVersion=7&resourceVersionMatch=NotOlderThan&limit=5', { at: { at: 'notOlderThan', revision: 7 }, limit: 5 }],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=5', { at: { at: 'any' }, limit: 5 }],
    ['resourceVersion=7&resourceVersionMatch=Exact', { at: { at: 'exactly', revision: 7 }, limit: 0 }],
    ['continue=x&limit=5', { at: { at: 'newest' }, limit: 5, continueToken: 'x' }],
    ['continue=x&resourceVersion=0&limit=5', { at: { at: 'newest' }, limit: 5, continueToken: 'x' }],
    ['timeoutSeconds=3', { at: { at: 'newest' }, limit: 0, timeoutMs: 3000 }],
    ['allowWatchBookmarks=true&unknown=1', { at: { at: 'newest' }, limit: 0 }],
  ])('%s', (query, expected) => {
    expect(listOf(query)).toEqual({ selection: {}, ...expected });
  });

  it.each([
    ['resourceVersion=0&resourceVersionMatch=Exact', '422 resourceVersionMatch:Forbidden'],
    ['resourceVersionMatch=Exact', '422 resourceVersionMatch:Forbidden'],
    ['resourceVersion=1&resourceVersionMatch=Sometimes', '422 resourceVersionMatch:NotSupported'],
    ['resourceVersion=x', '400'],
    ['resourceVersion=-1', '400'],
    ['resourceVersion=99999999999999999999', '400'],
    ['resourceVersion=18446744073709551616', '400'],
    ['continue=x&resourceVersion=1', '400'],
    ['continue=x&resourceVersionMatch=Exact&resourceVersion=1', '422 resourceVersionMatch:Forbidden'],
    ['limit=x', '400'],
    ['limit=1.5', '400'],
    ['limit=', '400'],
    ['timeoutSeconds=', '400'],
    ['timeoutSeconds=x', '400'],
    ['sendInitialEvents=true', '422 sendInitialEvents:Forbidden'],
    ['sendInitialEvents=false', '422 sendInitialEvents:Forbidden'],
    ['labelSelector=a,,b', '400'],
    ['fieldSelector=metadata.name', '400'],
    ['fieldSelector=spec.schedule=x', '400'],
  ])('%s is refused: %s', (query, expected) => {
    expect(refusalOf(() => listOf(query))).toBe(expected);
  });
});

describe('shardSelector', () => {
  const query = `shardSelector=${encodeURIComponent("shardRange(object.metadata.uid, '0x0', '0x8')")}`;

  it('is read when its feature is on', () => {
    expect(listOf(query, cronJob, sharding).selection.shard?.ranges).toEqual([{ field: 'object.metadata.uid', start: '0x0', end: '0x8' }]);
    expect(listOf('shardSelector=', cronJob, sharding).selection).toEqual({});
    expect(refusalOf(() => listOf('shardSelector=x', cronJob, sharding))).toBe('400');
  });

  it('is as unknown as any other word when its feature is off', () => {
    expect(listOf(query).selection).toEqual({});
    expect(listOf('shardSelector=x').selection).toEqual({});
  });
});

describe('get options', () => {
  it.each([
    ['', { at: 'newest' }],
    ['resourceVersion=0', { at: 'any' }],
    ['resourceVersion=7&resourceVersionMatch=Nonsense', { at: 'notOlderThan', revision: 7 }],
  ])('%s', (query, expected) => {
    expect(parseGetOptions(parseQuery(query))).toEqual(expected);
  });
});

describe('watch options', () => {
  it.each([
    ['', { initialEvents: true, bookmarks: false }],
    ['resourceVersion=0', { initialEvents: true, bookmarks: false, anyState: true }],
    [
      'resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
      { initialEvents: false, bookmarks: false, anyState: true },
    ],
    ['resourceVersion=7', { initialEvents: false, bookmarks: false, from: 7 }],
    ['allowWatchBookmarks=true', { initialEvents: true, bookmarks: true }],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1', { initialEvents: true, bookmarks: true }],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=7', { initialEvents: true, bookmarks: false, from: 7 }],
    ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan', { initialEvents: false, bookmarks: false }],
    ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=7', { initialEvents: false, bookmarks: false, from: 7 }],
    ['limit=3&resourceVersion=7', { initialEvents: false, bookmarks: false, from: 7 }],
    ['limit=3', { initialEvents: true, bookmarks: false }],
    ['limit=3&continue=x&resourceVersion=7', { initialEvents: false, bookmarks: false, from: 7 }],
    ['resourceVersion=7&timeoutSeconds=2', { initialEvents: false, bookmarks: false, from: 7, timeoutMs: 2000 }],
    ['resourceVersion=7&timeoutSeconds=-1', { initialEvents: false, bookmarks: false, from: 7, timeoutMs: 0 }],
    ['resourceVersion=7&timeoutSeconds=0', { initialEvents: false, bookmarks: false, from: 7 }],
  ])('%s', (query, expected) => {
    expect(watchOf(query)).toEqual({ selection: {}, ...expected });
  });

  it.each([
    ['resourceVersion=x', '400'],
    ['timeoutSeconds=x', '400'],
    ['sendInitialEvents=true', '422 resourceVersionMatch:Forbidden'],
    ['sendInitialEvents=true&resourceVersionMatch=Exact', '422 resourceVersionMatch:Forbidden resourceVersionMatch:NotSupported'],
    ['sendInitialEvents=true&resourceVersionMatch=Odd', '422 resourceVersionMatch:Forbidden resourceVersionMatch:NotSupported'],
    ['resourceVersionMatch=NotOlderThan', '422 resourceVersionMatch:Forbidden'],
    ['resourceVersionMatch=Exact&resourceVersion=7', '422 resourceVersionMatch:Forbidden resourceVersionMatch:NotSupported'],
    ['limit=x', '400'],
    ['timeoutSeconds=', '400'],
    ['continue=x', '422 resourceVersionMatch:Forbidden'],
    ['continue=x&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', '422 resourceVersionMatch:Forbidden'],
  ])('%s is refused: %s', (query, expected) => {
    expect(refusalOf(() => watchOf(query))).toBe(expected);
  });

  it.each([
    ['', { initialEvents: true }],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan', { initialEvents: true, anyState: true }],
    ['resourceVersion=7&resourceVersionMatch=NotOlderThan', { initialEvents: false, from: 7 }],
    ['resourceVersion=7&resourceVersionMatch=Exact', { initialEvents: false, from: 7 }],
    ['watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', { initialEvents: true }],
    ['continue=x&limit=3', { initialEvents: true }],
  ])('on an old path takes "%s"', (query, expected) => {
    expect(watchOf(query, '/apis/batch/v1/watch/cronjobs')).toMatchObject(expected);
  });

  it.each([
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=7', '422 sendInitialEvents:Forbidden'],
    ['sendInitialEvents=false', '422 sendInitialEvents:Forbidden'],
    ['resourceVersionMatch=NotOlderThan', '422 resourceVersionMatch:Forbidden'],
    ['resourceVersionMatch=Odd&resourceVersion=7', '422 resourceVersionMatch:NotSupported'],
    ['watch=true&resourceVersionMatch=Exact&resourceVersion=7', '422 resourceVersionMatch:Forbidden resourceVersionMatch:NotSupported'],
    ['continue=x&resourceVersion=7&resourceVersionMatch=Exact', '422 resourceVersionMatch:Forbidden'],
  ])('on an old path refuses "%s" as a list does', (query, refusal) => {
    expect(refusalOf(() => watchOf(query, '/apis/batch/v1/watch/cronjobs'))).toBe(refusal);
  });

  it('refuses a field selector that names another object than the path', () => {
    const path = '/apis/batch/v1/watch/namespaces/a/cronjobs/b';
    expect(watchOf('fieldSelector=metadata.name=b', path).selection).toMatchObject({ namespace: 'a', name: 'b' });
    expect(refusalOf(() => watchOf('fieldSelector=metadata.name=c', path))).toBe('400');
    expect(refusalOf(() => watchOf('fieldSelector=metadata.namespace=a', path))).toBe('400');
  });
});

const writeOf = (query: string) => parseWriteOptions(parseQuery(query), 'kubectl/v1.36.0 (linux)', 'CreateOptions');

describe('write and delete options', () => {
  it('names the options object in details', () => {
    expect(() => writeOf('dryRun=x')).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ kind: 'CreateOptions', group: 'meta.k8s.io' }) }),
    );
  });

  it('takes the field manager from the User-Agent when none is given', () => {
    expect(writeOf('').fieldManager).toBe('kubectl');
    expect(managerOf('a\tb/1')).toBe('ab');
    expect(managerOf(undefined)).toBe('');
  });

  it.each([
    ['a kind that is no DeleteOptions', '{"kind":"Pod"}', '400'],
    ['an apiVersion that is none', '{"apiVersion":"a/b/c"}', '400'],
    ['an apiVersion without a version', '{"apiVersion":"batch/"}', '400'],
    ['a grace period that is no integer', '{"gracePeriodSeconds":1.0}', '400 gracePeriodSeconds:TypeInvalid'],
    ['a list', '[]', '400'],
    ['a policy that is no text', '{"propagationPolicy":1}', '400'],
    ['preconditions that are no object', '{"preconditions":"x"}', '400'],
  ])('refuses a delete body with %s', (_, body, expected) => {
    expect(refusalOf(() => parseDeleteOptions(jsonBody(body), parseQuery(''), reader))).toBe(expected);
  });

  it.each(['null', '{}', ' {"kind":"","apiVersion":null,"preconditions":null,"dryRun":null,"unknown":1}'])(
    'takes %s as asking nothing',
    (body) => {
      expect(parseDeleteOptions(jsonBody(body), parseQuery('propagationPolicy=Orphan'), reader)).toEqual({
        dryRun: false,
        preconditions: {},
      });
    },
  );

  it.each(['v1', 'meta.k8s.io/v1', 'batch/v1', 'batch/v1beta1', 'rbac.authorization.k8s.io/v1', 'widgets.example.com/v2', '/v1'])(
    'takes a delete body of whatever group and version: %s',
    (apiVersion) => {
      const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion, dryRun: ['All'] });
      expect(parseDeleteOptions(jsonBody(body), parseQuery(''), reader).dryRun).toBe(true);
    },
  );

  it.each([
    ['DeleteOptions', 'v1'],
    ['DeleteOptions', 'batch/v1'],
    ['DeleteOptions', 'widgets.example.com/v2'],
    ['', ''],
  ])('takes a delete body in protobuf: %s of "%s"', (kind, apiVersion) => {
    const sent = {
      dryRun: ['All'],
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u', resourceVersion: '7' },
    };
    expect(parseDeleteOptions(protobufBody(kind, apiVersion, sent), parseQuery('propagationPolicy=Orphan'), reader)).toEqual({
      dryRun: true,
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u', resourceVersion: '7' },
    });
    expect(parseDeleteOptions(protobufBody(kind, apiVersion, { orphanDependents: false }), parseQuery(''), reader)).toEqual({
      dryRun: false,
      orphanDependents: false,
      preconditions: {},
    });
  });

  it.each([
    ['CreateOptions', 'v1', {}, '400'],
    ['DeleteOptions', 'a/b/c', {}, '400'],
    ['DeleteOptions', 'v1', { gracePeriodSeconds: -1n }, '422 gracePeriodSeconds:Invalid'],
  ])('refuses a delete body in protobuf: %s of "%s" with %p', (kind, apiVersion, sent, expected) => {
    expect(refusalOf(() => parseDeleteOptions(protobufBody(kind, apiVersion, sent), parseQuery(''), reader))).toBe(expected);
  });

  it('refuses a delete body that is no protobuf', () => {
    const broken: RequestBody = { encoding: 'protobuf', bytes: Buffer.from('{}') };
    expect(refusalOf(() => parseDeleteOptions(broken, parseQuery(''), reader))).toBe('400');
  });

  describe('that is to delete what cannot be read', () => {
    const option = 'ignoreStoreReadErrorWithClusterBreakingPotential';
    const on = createFeatures(new Map([['AllowUnsafeMalformedObjectDeletion', true]]));
    const parse = (body: object, features = on) => parseDeleteOptions(jsonBody(JSON.stringify(body)), parseQuery(''), reader, features);

    it('is read where the feature is on, and passed over where it is not', () => {
      expect(parse({ [option]: true })).toEqual({ dryRun: false, preconditions: {}, unreadable: true });
      expect(parseDeleteOptions(jsonBody(''), parseQuery(`${option}=true`), reader, on).unreadable).toBe(true);
      expect(parse({ [option]: true, propagationPolicy: 'Orphan' }, createFeatures())).not.toHaveProperty('unreadable');
      expect(parse({ [option]: false, propagationPolicy: 'Orphan' })).not.toHaveProperty('unreadable');
      expect(refusalOf(() => parse({ [option]: 'yes' }))).toMatch(/^400/);
    });

    it('goes with no other option', () => {
      const refusal = `422 ${option}:Invalid`;
      for (const other of [
        { dryRun: ['All'] },
        { propagationPolicy: 'Background' },
        { orphanDependents: false },
        { gracePeriodSeconds: 0 },
        { preconditions: { uid: 'u' } },
      ])
        expect(refusalOf(() => parse({ [option]: true, ...other }))).toBe(refusal);
    });
  });

  it('takes preconditions of a query', () => {
    const options = parseDeleteOptions(jsonBody(''), parseQuery('uid=u&resourceVersion=7'), reader);
    expect(options).toEqual({ dryRun: false, preconditions: { uid: 'u', resourceVersion: '7' } });
    expect(parseDeleteOptions(jsonBody(''), parseQuery('uid=&resourceVersion='), reader).preconditions).toEqual({});
  });

  it('ignores the query of a delete that has a body', () => {
    const options = parseDeleteOptions(jsonBody('{"preconditions":{"uid":"u"}}'), parseQuery('propagationPolicy=Orphan'), reader);
    expect(options).toEqual({ dryRun: false, preconditions: { uid: 'u' } });
  });
});
