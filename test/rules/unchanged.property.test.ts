/** What was read can be sent back, and nothing changes: no resourceVersion, no event. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import type { KubernetesObject } from '../../pkg/apis/kind.ts';
import { MemoryBackend } from '../registry/memory-backend.ts';
import { KINDS, openTestRegistry, storeOf, write } from '../registry/test-registry.ts';
import type { ObjectBytes } from '../../pkg/registry/object-store.ts';
import type { Registry } from '../../pkg/registry/registry.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { createValidator } from '../../pkg/schema/validator.ts';
import { toJsonText } from '../support/json-token.ts';
import { propertyRuns, propertyTimeoutMs } from '../support/property-runs.ts';
import { inGroupsOf, kindSample } from '../support/kind-samples.ts';
import { variation } from '../support/shape-values.ts';
import { collectionPath, itemPath, kindCase, KINDS as KIND_CASES } from '../support/kinds.ts';
import { describeServer } from '../support/stores.ts';
import { validObject } from '../support/valid-objects.ts';

const NAMESPACE = 'default';
let named = 0;
const nextName = (kind: string): string => kindCase(kind).sample(`n${++named}`, NAMESPACE).metadata.name;

describe.each(KINDS)('A $definition.kind sent back as it was read', ({ definition, shape }) => {
  const { kind, apiVersion, namespaced } = definition;
  const codec = createObjectCodec(shape);
  const validator = createValidator(shape);
  let backend: MemoryBackend;
  let registry: Registry;
  beforeAll(async () => {
    backend = new MemoryBackend();
    registry = await openTestRegistry(backend);
  });
  afterAll(() => registry.close());

  const target = (name: string) => ({ namespace: namespaced ? NAMESPACE : '', name });
  /** Undefined: it has wrong types. */
  const decode = (text: string): KubernetesObject | undefined => {
    const { object, causes } = codec.decodeBody(Buffer.from(text));
    return causes.length + validator.typeErrors(object).length > 0 ? undefined : (object as KubernetesObject);
  };
  const textOf = ({ json }: ObjectBytes) => Buffer.concat(json).toString();
  /** Its name, or why it was refused. */
  const create = async (body: { readonly metadata?: unknown }): Promise<{ readonly name: string } | { readonly refusal: string }> => {
    const name = nextName(kind);
    const metadata = {
      ...(body.metadata as object | undefined),
      ...target(name),
      resourceVersion: undefined,
      namespace: namespaced ? NAMESPACE : undefined,
    };
    const object = decode(inGroupsOf('example.io', toJsonText({ ...body, kind, apiVersion, metadata })));
    if (object === undefined) return { refusal: 'wrong types' };
    try {
      await storeOf(registry, kind).create(target(name).namespace, object, write);
      return { name };
    } catch (error) {
      if (error instanceof StatusError && error.reason === 'Invalid') return { refusal: error.message };
      throw error;
    }
  };
  const expectUnchanged = async (name: string): Promise<void> => {
    const store = storeOf(registry, kind);
    const read = await store.get(target(name), { at: 'newest' }, write.signal);
    const before = await backend.currentRevision();
    const again = decode(textOf(read));
    expect(again).toBeDefined();
    if (again === undefined) return;
    for (const subresource of ['', ...definition.subresources.map(({ name }) => name)]) {
      const { outcome, object } = await store.replace(target(name), again, subresource, write);
      expect({ outcome, text: textOf(object) }).toEqual({ outcome: 'unchanged', text: textOf(read) });
    }
    expect(await backend.currentRevision()).toBe(before);
  };

  it(
    'stays as it is, for any valid one',
    async () => {
      const property = fc.asyncProperty(validObject(kind), async (body) => {
        const created = await create(body);
        if ('refusal' in created) {
          throw new Error(`test/support/valid-objects.ts made what is refused: ${toJsonText(body)}: ${created.refusal}`);
        }
        await expectUnchanged(created.name);
      });
      await fc.assert(property, propertyRuns(40));
    },
    propertyTimeoutMs,
  );

  it(
    'stays as it is, for any that was taken',
    async () => {
      let taken = 0;
      const property = fc.asyncProperty(variation(shape, kindSample(kind, 'realistic')), async (body) => {
        const created = await create(body);
        if ('refusal' in created) return;
        taken++;
        await expectUnchanged(created.name);
      });
      await fc.assert(property, propertyRuns(60));
      expect(taken).toBeGreaterThan(0);
    },
    propertyTimeoutMs,
  );
});

/** The owners in the samples do not exist. */
const NO_CONTROLLERS = {
  flags: [
    ...['--controllers', '*,-garbage-collector-controller,-clusterrole-aggregation-controller'],
    // With it, the status of FlowSchemas is written.
    '--enable-priority-and-fairness=false',
  ],
};

describeServer(
  'Sent back over HTTP as it was read',
  (api) => {
    it.each(KIND_CASES)(
      'a $kind stays as it is, and no watch hears of it',
      async (kindCase) => {
        const { kind, apiVersion, namespaced } = kindCase;
        const collection = collectionPath(kindCase, NAMESPACE);
        const property = fc.asyncProperty(validObject(kind), async (body) => {
          const name = nextName(kind);
          const metadata = { ...body.metadata, name, ...(namespaced ? { namespace: NAMESPACE } : {}) };
          const created = await api.send('POST', collection, { body: toJsonText({ ...body, kind, apiVersion, metadata }) });
          if (created.code !== 201) throw new Error(created.text);
          const { resourceVersion } = created.object().metadata;
          const stream = await api.watch(`${collection}?watch=1&resourceVersion=${resourceVersion}&fieldSelector=metadata.name%3D${name}`);
          try {
            const path = itemPath(kindCase, NAMESPACE, name);
            const read = await api.get(path);
            const replaced = await api.send('PUT', path, { body: read.text });
            expect([replaced.code, replaced.text]).toEqual([200, read.text]);
            expect((await api.delete(path)).code).toBe(200);
            const { type, object } = await stream.next();
            // What a finalizer holds is only marked.
            expect(type === 'DELETED' || object.metadata.deletionTimestamp !== undefined).toBe(true);
          } finally {
            stream.close();
          }
        });
        await fc.assert(property, propertyRuns(5));
      },
      propertyTimeoutMs,
    );
  },
  NO_CONTROLLERS,
);
