import { describe, expect, it } from '@jest/globals';
import { kindNamed } from '../../test/registry/test-registry.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import type { Kind } from '../apis/kind.ts';
import { createObjectCodec } from '../schema/object-codec.ts';
import { createAttributesReader } from './attributes-reader.ts';

const bytesOf = ({ shape, definition }: Kind, members: JsonObject) =>
  createObjectCodec(shape).encode({ kind: definition.kind, apiVersion: definition.apiVersion, ...members });

describe('describe', () => {
  const cronJob = kindNamed('CronJob');
  const describeCronJob = createAttributesReader(cronJob);

  it('reads uid and labels', () => {
    const metadata = {
      name: 'a',
      namespace: 'b',
      uid: 'u-1',
      creationTimestamp: '2026-03-14T15:09:26Z',
      labels: { app: 'x', __proto__x: 'y' },
    };
    expect(describeCronJob(bytesOf(cronJob, { metadata }))).toEqual({
      uid: 'u-1',
      labels: { app: 'x', __proto__x: 'y' },
      fields: undefined,
    });
  });

  it('is not led astray by text that looks like JSON', () => {
    const labels = { 'a"b\\': '}{"uid":"wrong"}', größe: '東京' };
    const annotations = { text: '"labels":{"a":"b"},"uid":"wrong"' };
    const metadata = { name: 'a', generateName: '"uid":"wrong",', namespace: 'b', uid: 'u-1', labels, annotations };
    expect(describeCronJob(bytesOf(cronJob, { metadata }))).toEqual({ uid: 'u-1', labels, fields: undefined });
  });

  it('knows an object without labels, whatever follows', () => {
    for (const more of [{}, { annotations: { labels: '{"a":"b"}' } }, { finalizers: ['x/y'] }, { generation: 3 }]) {
      const metadata = { name: 'a', namespace: 'b', uid: 'u-1', ...more };
      expect(describeCronJob(bytesOf(cronJob, { metadata }))).toEqual({ uid: 'u-1', labels: undefined, fields: undefined });
    }
  });

  it('refuses labels that are no map of texts, which only another program writes', () => {
    const text = bytesOf(cronJob, { metadata: { name: 'a', uid: 'u-1', labels: { app: 'x' } } }).toString();
    for (const labels of ['null', '5', '["x"]', '{"app":null}', '{"app":{}}']) {
      expect(() => describeCronJob(Buffer.from(text.replace('{"app":"x"}', labels)))).toThrow('is not the canonical JSON');
    }
  });

  it('reads the selectable fields of a kind', () => {
    const event = kindNamed('Event');
    const metadata = { name: 'a', namespace: 'b', uid: 'u-1' };
    const json = bytesOf(event, { metadata, reason: 'Backoff', regarding: { kind: 'CronJob', name: 'nightly' } });
    const { fields } = createAttributesReader({
      ...event,
      strategy: { selectableFields: { reason: ({ reason }) => (typeof reason === 'string' ? reason : '') } },
    })(json);
    expect(fields).toEqual({ reason: 'Backoff' });
  });

  it.each(['', '{}', 'x', '{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"a'])(
    'refuses what is no such object: %s',
    (text) => {
      expect(() => describeCronJob(Buffer.from(text))).toThrow('canonical JSON of a CronJob');
    },
  );

  it('refuses another kind', () => {
    const pdb = kindNamed('PodDisruptionBudget');
    expect(() => describeCronJob(bytesOf(pdb, { metadata: { name: 'a', uid: 'u' } }))).toThrow('canonical JSON of a CronJob');
  });
});
