import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { MemoryBackend } from '../../../../../test/registry/memory-backend.ts';
import { decode, openTestRegistry, storeOf, write } from '../../../../../test/registry/test-registry.ts';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';

const KIND = 'Event';
const TIME = '2026-03-14T15:09:26.535897Z';
const event = (more: JsonObject = {}): JsonObject => ({
  eventTime: TIME,
  reportingController: 'example.com/c',
  reportingInstance: 'c-0',
  action: 'Do',
  reason: 'Done',
  type: 'Normal',
  regarding: { kind: 'CronJob', namespace: 'default', name: 'nightly' },
  ...more,
});
const inNamespace = (namespace: string, more: JsonObject = {}): JsonObject => event({ metadata: { namespace }, ...more });
/** The older form, without eventTime. It cannot be created, so there is always a cause for eventTime. */
const older = (more: JsonObject): JsonObject => ({ type: 'Normal', ...more });
const series = (more: JsonObject = {}): JsonObject => ({ series: { count: 2, lastObservedTime: TIME, ...more } });
const realistic = JSON.parse(readFileSync(new URL('./testdata/realistic.json', import.meta.url), 'utf8')) as JsonObject;

describe('An Event', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  it('is taken as recorders send it, and given back', async () => {
    const { metadata: _, apiVersion: _ofAnotherSuffix, ...body } = realistic;
    const { causes, object } = await rules.create(KIND, { ...body, metadata: { namespace: 'reports' } });
    expect(causes).toEqual([]);
    expect(object).toMatchObject(body);
  });

  it.each<[string, JsonObject]>([
    ['about an object of another namespace', inNamespace('shop', { regarding: { namespace: 'other' } })],
    ['about an object without a namespace, in default', event({ regarding: {} })],
    ['about an object without a namespace, in kube-system', inNamespace('kube-system', { regarding: {} })],
    ['with the longest words', event({ reportingInstance: 'a'.repeat(128), action: 'ü'.repeat(64), reason: 'a'.repeat(128) })],
    ['with the longest note', event({ note: 'ü'.repeat(512) })],
    ['with a warning', event({ type: 'Warning' })],
    ['of a series', event(series())],
    [
      'with empty fields of the older form',
      event({ deprecatedSource: { component: '' }, deprecatedCount: 0, deprecatedFirstTimestamp: null }),
    ],
  ])('%s is taken', async (_, body) => {
    expect((await rules.create(KIND, body)).causes).toEqual([]);
  });

  /** Rules that an update checks as well. Immutable fields have an additional cause there. */
  const ALWAYS: readonly [string, JsonObject, readonly string[]][] = [
    ['without a controller', { reportingController: '' }, ['Required reportingController', ...twice('Invalid reportingController')]],
    ['of a controller that is no qualified name', { reportingController: 'a b' }, ['Invalid reportingController']],
    ['of a controller with a path', { reportingController: 'a.com/b/c' }, ['Invalid reportingController']],
    ['without an instance', { reportingInstance: '' }, ['Required reportingInstance']],
    ['of a long instance', { reportingInstance: 'ü'.repeat(65) }, ['Invalid reportingInstance']],
    ['without an action', { action: '' }, ['Required action']],
    ['of a long action', { action: 'a'.repeat(129) }, ['Invalid action']],
    ['without a reason', { reason: '' }, ['Required reason']],
    ['of a long reason', { reason: 'a'.repeat(129) }, ['Invalid reason']],
    ['with a long note', { note: 'ü'.repeat(513) }, ['Invalid message']],
    ['counted once as a series', series({ count: 1 }), ['Invalid series.count']],
    ['counted never as a series', series({ count: null }), ['Invalid series.count']],
    ['of a series without a time', series({ lastObservedTime: null }), ['Required series.lastObservedTime']],
    [
      'that says nothing',
      { reportingController: '', reportingInstance: '', action: '', reason: '' },
      [
        'Required reportingController',
        ...twice('Invalid reportingController'),
        'Required reportingInstance',
        'Required action',
        'Required reason',
      ],
    ],
  ];

  it.each<[string, JsonObject, readonly string[]]>([
    ...ALWAYS,
    ['without a time', { eventTime: null }, ['Required eventTime']],
    ['without a type', { type: '' }, ['Invalid type']],
    ['of another type', { type: 'normal' }, ['Invalid type']],
    ['with a first time', { deprecatedFirstTimestamp: TIME }, ['Invalid firstTimestamp']],
    ['with a last time', { deprecatedLastTimestamp: TIME }, ['Invalid lastTimestamp']],
    ['with a count', { deprecatedCount: -1 }, ['Invalid count']],
    ['with a component as source', { deprecatedSource: { component: 'c' } }, ['Invalid source']],
    ['with a host as source', { deprecatedSource: { host: 'h' } }, ['Invalid source']],
  ])('%s is not created', async (_, more, causes) => {
    expect((await rules.create(KIND, event(more))).causes).toEqual(causes);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['about nothing, in another namespace', inNamespace('shop', { regarding: {} }), ['Invalid involvedObject.namespace']],
    ['about nothing at all, in another namespace', inNamespace('shop', { regarding: null }), ['Invalid involvedObject.namespace']],
    ['of the older form, in default', older({}), ['Required eventTime']],
    ['of the older form, about its own namespace', older({ regarding: { namespace: 'default' } }), ['Required eventTime']],
    [
      'of the older form, about another namespace',
      older({ regarding: { namespace: 'shop' } }),
      ['Invalid involvedObject.namespace', 'Required eventTime'],
    ],
    [
      'of the older form, about nothing, in kube-system',
      older({ metadata: { namespace: 'kube-system' } }),
      ['Invalid involvedObject.namespace', 'Required eventTime'],
    ],
    ['in a namespace that is none', inNamespace('a_b'), ['Invalid metadata.namespace', 'Invalid namespace']],
  ])('%s is not created', async (_, body, causes) => {
    expect((await rules.create(KIND, body)).causes).toEqual(causes);
  });

  it('is created by PUT as by POST', async () => {
    const registry = await openTestRegistry(new MemoryBackend());
    const target = { namespace: 'default', name: 'fresh' };
    const put = (more: JsonObject) =>
      storeOf(registry, KIND).replace(target, decode(KIND, event({ metadata: { name: 'fresh' }, ...more })), '', write);
    try {
      await expect(put({ deprecatedCount: 1 })).rejects.toMatchObject({
        reason: 'Invalid',
        details: { causes: [{ reason: 'FieldValueInvalid', field: 'count' }] },
      });
      expect((await put({})).outcome).toBe('created');
      expect((await put(series())).outcome).toBe('updated');
    } finally {
      await registry.close();
    }
  });

  describe('that exists', () => {
    it.each<[string, JsonObject, JsonObject]>([
      ['begin a series', {}, series()],
      ['continue its series', series(), series({ count: 3 })],
      ['end its series', series(), {}],
      ['get labels', {}, { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } }],
    ])('may %s', async (_, before, after) => {
      const { causes, object } = await rules.update(KIND, event(before), event(after));
      expect(causes).toEqual([]);
      expect(object).toMatchObject(after);
      expect(object?.['series']).toEqual(after['series']);
    });

    it.each<[string, JsonObject, JsonObject]>([
      ['the same time written otherwise', {}, { eventTime: '2026-03-14T16:09:26.535897+01:00' }],
      ['nothing as empty text', {}, { note: '', deprecatedSource: {}, deprecatedCount: 0 }],
    ])('takes %s for no change', async (_, before, after) => {
      expect((await rules.update(KIND, event(before), event(after))).causes).toEqual([]);
    });

    it.each<[string, JsonObject, readonly string[]]>([
      ['regarding', { regarding: { kind: 'CronJob', namespace: 'default', name: 'other' } }, ['Invalid involvedObject']],
      ['reason', { reason: 'Other' }, ['Invalid reason']],
      ['note', { note: 'other' }, ['Invalid message']],
      ['deprecatedSource', { deprecatedSource: { host: 'h' } }, ['Invalid source']],
      ['deprecatedFirstTimestamp', { deprecatedFirstTimestamp: TIME }, ['Invalid firstTimestamp']],
      ['deprecatedLastTimestamp', { deprecatedLastTimestamp: TIME }, ['Invalid lastTimestamp']],
      ['deprecatedCount', { deprecatedCount: 1 }, ['Invalid count']],
      ['type', { type: 'Warning' }, ['Invalid type']],
      ['type to one that is none', { type: 'x' }, ['Invalid type']],
      ['eventTime', { eventTime: '2026-03-14T15:09:26.535898Z' }, ['Invalid eventTime']],
      ['eventTime to none', { eventTime: null }, ['Invalid eventTime']],
      ['action', { action: 'Other' }, ['Invalid action']],
      ['related', { related: { name: 'a' } }, ['Invalid related']],
      ['related to an empty one', { related: {} }, ['Invalid related']],
      ['reportingController', { reportingController: 'example.com/d' }, ['Invalid reportingController']],
      ['reportingInstance', { reportingInstance: 'c-1' }, ['Invalid reportingInstance']],
    ])('never changes its %s', async (_, more, causes) => {
      expect((await rules.update(KIND, event(), event(more))).causes).toEqual(causes);
    });

    it.each(ALWAYS)('does not become one %s', async (_, more, causes) => {
      const fixed = Object.keys(more).filter((name) => name !== 'series');
      const immutable = ['reason', 'note', 'action', 'reportingController', 'reportingInstance'].filter((name) => fixed.includes(name));
      const names = immutable.map((name) => `Invalid ${name === 'note' ? 'message' : name}`);
      expect((await rules.update(KIND, event(), event(more))).causes).toEqual([...causes, ...names]);
    });

    it('lists all that has changed at once, in the order of the older form', async () => {
      const { causes } = await rules.update(
        KIND,
        event(),
        event({ action: 'x', note: 'x', type: 'x', reason: 'x', ...series({ count: 0 }) }),
      );
      expect(causes).toEqual(['Invalid series.count', 'Invalid reason', 'Invalid message', 'Invalid type', 'Invalid action']);
    });
  });
});

function twice(cause: string): readonly string[] {
  return [cause, cause];
}
