import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFieldSelector } from '../apimachinery/selectors/selector.ts';
import { viewsOf } from '../apis/kind-view.ts';
import type { KubernetesObject } from '../apis/kind.ts';
import { createObjectCodec } from '../schema/object-codec.ts';
import { FaultyBackend } from '../../test/registry/faulty-backend.ts';
import { MemoryBackend } from '../../test/registry/memory-backend.ts';
import { decode, everything, KINDS, never, openTestRegistry, storeOf, storeOfKind, write } from '../../test/registry/test-registry.ts';
import { withMetadata } from './object-meta.ts';
import type { ObjectChange, ObjectStore } from './object-store.ts';
import type { Registry } from './registry.ts';

const [view] = viewsOf(KINDS);
if (view === undefined) throw new Error('no view');
const { definition, shape } = view;
const name = { namespace: 'default', name: 'e' };
const inView = (members: object): KubernetesObject =>
  ({
    ...createObjectCodec(shape).decodeBody(Buffer.from(JSON.stringify({ metadata: { name: 'e' }, ...members }))).object,
    kind: definition.kind,
    apiVersion: definition.apiVersion,
  }) as KubernetesObject;
const labelled = (label: string): ObjectChange => ({
  by: 'patch',
  patch: ({ object }) => withMetadata(object, { labels: { ...object.metadata.labels, [label]: '' } }),
});

describe('The store of a view', () => {
  let backend: MemoryBackend;
  let faulty: FaultyBackend;
  let registry: Registry;
  let kindStore: ObjectStore;
  let viewStore: ObjectStore;
  beforeEach(async () => {
    backend = new MemoryBackend();
    faulty = new FaultyBackend(backend);
    registry = await openTestRegistry(faulty);
    kindStore = storeOf(registry, 'Event');
    viewStore = storeOfKind(registry, view);
  });
  afterEach(async () => {
    await registry.close();
    await backend.close();
  });
  const stored = async () => {
    const { json } = await kindStore.get(name, { at: 'newest' }, never);
    return JSON.parse(Buffer.concat(json).toString()) as KubernetesObject;
  };

  it('stores what the kind stores', async () => {
    await viewStore.create('default', inView({ message: 'it ran', involvedObject: { name: 'x' } }), write);
    expect(await stored()).toMatchObject({ apiVersion: 'events.example.io/v1', note: 'it ran', regarding: { name: 'x' } });
    expect([kindStore.definition.apiVersion, viewStore.definition.apiVersion]).toEqual(['events.example.io/v1', 'v1']);
  });

  it('gives a change the object in its own words, and takes it in them', async () => {
    await kindStore.create(
      'default',
      decode('Event', {
        metadata: { name: 'e' },
        eventTime: '2026-03-14T15:09:26.535897Z',
        type: 'Normal',
        note: 'a',
        reportingController: 'c',
        reportingInstance: 'i',
        action: 'A',
        reason: 'R',
      }),
      write,
    );
    const seen: unknown[] = [];
    const patch = (object: KubernetesObject): KubernetesObject => {
      seen.push([object.apiVersion, object['message'], object['note']]);
      return { ...object, message: 'b' };
    };
    await viewStore.update(name, '', { by: 'patch', patch: ({ object }) => patch(object) }, write);
    expect(seen).toEqual([['v1', 'a', undefined]]);
    expect(await stored()).toMatchObject({ note: 'b' });
  });

  // While the cache lags, a writer starts with the result of the previous one in the queue.
  it('loses nothing when both are written at once', async () => {
    await viewStore.create('default', inView({ message: 'it ran' }), write);
    await kindStore.get(name, { at: 'newest' }, never);
    faulty.holdWatch();
    const labels = Array.from({ length: 20 }, (_, n) => `l${n}`);
    await Promise.all(labels.map((label, n) => (n % 2 === 0 ? viewStore : kindStore).update(name, '', labelled(label), write)));
    faulty.releaseWatch();
    const { metadata, ...rest } = await stored();
    expect(Object.keys(metadata.labels ?? {}).sort()).toEqual(labels.toSorted());
    expect(rest).toMatchObject({ apiVersion: 'events.example.io/v1', note: 'it ran' });
  });

  it('selects by its own names', async () => {
    await viewStore.create('default', inView({ involvedObject: { name: 'x' } }), write);
    const count = async (field: string, value: string) => {
      const selection = { fields: createFieldSelector([{ field, operator: '=', value }]) };
      return (await viewStore.list({ ...everything, selection }, never)).page.count;
    };
    expect([await count('involvedObject.name', 'x'), await count('involvedObject.name', 'y'), await count('metadata.name', 'e')]).toEqual([
      1, 0, 1,
    ]);
  });

  it('refuses in its own name', async () => {
    await expect(viewStore.get(name, { at: 'newest' }, never)).rejects.toThrow('events "e" not found');
    await expect(kindStore.get(name, { at: 'newest' }, never)).rejects.toThrow('events.events.example.io "e" not found');
    await expect(viewStore.update(name, '', labelled('a'), write)).rejects.toThrow('events "e" not found');
  });
});
