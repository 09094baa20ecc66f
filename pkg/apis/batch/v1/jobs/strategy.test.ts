import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { MemoryBackend } from '../../../../../test/registry/memory-backend.ts';
import {
  openTestRegistry,
  parse,
  plainDelete,
  readNewest,
  reread,
  sample,
  storeOf,
  write,
} from '../../../../../test/registry/test-registry.ts';
import type { ObjectStore } from '../../../../registry/object-store.ts';
import type { Registry } from '../../../../registry/registry.ts';

const namespace = 'default';

describe('A Job in the store', () => {
  let registry: Registry;
  let store: ObjectStore;
  beforeAll(async () => {
    registry = await openTestRegistry(new MemoryBackend());
    store = storeOf(registry, 'Job');
  });
  afterAll(() => registry.close());
  const create = async (name: string) => reread((await store.create(namespace, sample('Job', { name }), write)).object);
  const setStatus = async (name: string, members: JsonObject) => {
    const current = await readNewest(store, { namespace, name });
    return parse((await store.replace({ namespace, name }, { ...current, ...members }, 'status', write)).object);
  };

  it('has the labels of its pods, even after a write of its status takes them away', async () => {
    await create('labelled');
    const { labels, ...metadata } = (await readNewest(store, { namespace, name: 'labelled' })).metadata;
    expect(labels).toEqual({ work: 'once' });
    const written = await setStatus('labelled', { metadata, status: { active: 1 } });
    expect(written).toMatchObject({ metadata: { labels: { work: 'once' } }, status: { active: 1 } });
  });

  it('is selected by how many pods have succeeded', async () => {
    await create('counted');
    await setStatus('counted', { status: { succeeded: 2 } });
    const { objects } = (await store.list({ selection: { namespace }, at: { at: 'newest' }, limit: 0 }, write.signal)).page;
    const found = Array.from(objects, ({ name, fields }) => [name, fields]);
    expect(found).toContainEqual(['counted', expect.objectContaining({ 'status.successful': '2' })]);
  });

  it('leaves its pods when it is deleted, unless the client says what becomes of them', async () => {
    await create('kept');
    const held = await store.delete({ namespace, name: 'kept' }, plainDelete);
    expect(parse(held.object).metadata.finalizers).toEqual(['orphan']);
    await create('gone');
    expect((await store.delete({ namespace, name: 'gone' }, { ...plainDelete, propagationPolicy: 'Background' })).outcome).toBe('removed');
  });
});
