/**
 * Bodies that are wrong in random places never hurt the server: it takes or refuses each, in good time, and goes on.
 */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kindNamed } from '../registry/test-registry.ts';
import type { Answer } from '../support/api.ts';
import { collectionPath, itemPath, KINDS, type KindCase } from '../support/kinds.ts';
import { toJsonText } from '../support/json-token.ts';
import { mutated } from '../support/mutations.ts';
import { propertyRuns, propertyTimeoutMs } from '../support/property-runs.ts';
import { kindSample } from '../support/kind-samples.ts';
import { variation } from '../support/shape-values.ts';
import { describeServer } from '../support/stores.ts';

const NAMESPACE = 'default';
/** 413: the embedded store takes no key as long as the longest name here. */
const REFUSED = [400, 409, 413, 422];
/** No body here is worth more of the server's time. */
const ANSWER_MS = 5000;

/** The owners in the samples do not exist. */
const NO_CONTROLLERS = {
  flags: [
    ...['--controllers', '*,-garbage-collector-controller,-clusterrole-aggregation-controller'],
    // With it, the status of FlowSchemas is written.
    '--enable-priority-and-fairness=false',
  ],
};

describeServer(
  'A body that is wrong in random places',
  (api) => {
    let named = 0;
    const freshName = (kind: KindCase): string => kind.sample(`h${++named}`, NAMESPACE).metadata.name;

    /** A realistic object without what the server gave it. */
    const sampleOf = ({ kind, namespaced }: KindCase, name: string) => {
      const realistic = kindSample(kind, 'realistic');
      const { resourceVersion: _, uid: _uid, creationTimestamp: _time, ...metadata } = realistic.metadata;
      return { ...realistic, metadata: { ...metadata, name, ...(namespaced ? { namespace: NAMESPACE } : {}) } };
    };

    /** Wrong in any way, or of the right types and with other values. `nameOf` is asked for each. */
    const bodies = (kindCase: KindCase, nameOf: () => string): fc.Arbitrary<string> => {
      const { shape } = kindNamed(kindCase.kind);
      const varied = variation(shape, sampleOf(kindCase, nameOf()));
      return fc.oneof(
        mutated(() => sampleOf(kindCase, nameOf())),
        varied.map((body) => toJsonText({ ...body, metadata: { ...body.metadata, name: nameOf() } })),
      );
    };

    /** Throws when the answer is another than a refusal or `taken`, comes late, or refuses without a cause. */
    const send = async (method: string, path: string, body: string, taken: number): Promise<Answer> => {
      const begun = performance.now();
      const answer = await api.send(method, path, { body });
      expect(performance.now() - begun).toBeLessThan(ANSWER_MS);
      if (answer.code !== taken && !REFUSED.includes(answer.code)) throw new Error(`${answer.code} ${answer.text.slice(0, 1000)}`);
      if (answer.code === 422) expect(answer.status().details?.causes).not.toEqual([]);
      return answer;
    };

    it.each(KINDS)(
      'is taken or refused as a new $kind, and the server goes on',
      async (kindCase) => {
        const collection = collectionPath(kindCase, NAMESPACE);
        /** What was taken can be read, sent back and deleted. */
        const expectUsable = async (name: string): Promise<void> => {
          const path = itemPath(kindCase, NAMESPACE, encodeURIComponent(name));
          const read = await api.get(path);
          expect([read.code, (await api.send('PUT', path, { body: read.text })).text]).toEqual([200, read.text]);
          expect((await api.delete(path)).code).toBe(200);
        };
        expect((await api.post(collection, sampleOf(kindCase, freshName(kindCase)))).code).toBe(201);
        const property = fc.asyncProperty(
          bodies(kindCase, () => freshName(kindCase)),
          async (body) => {
            const answer = await send('POST', collection, body, 201);
            if (answer.code === 201) await expectUsable(answer.object().metadata.name);
          },
        );
        await fc.assert(property, propertyRuns(40));

        const small = kindCase.sample(`last-${kindCase.resource}`, NAMESPACE);
        expect((await api.post(collection, small)).code).toBe(201);
        expect((await api.delete(itemPath(kindCase, NAMESPACE, small.metadata.name))).code).toBe(200);
        expect(Reflect.get({}, 'polluted')).toBeUndefined();
      },
      propertyTimeoutMs,
    );

    it.each(KINDS)(
      'is taken or refused in place of a $kind or of its status',
      async (kindCase) => {
        const name = freshName(kindCase);
        expect((await api.post(collectionPath(kindCase, NAMESPACE), sampleOf(kindCase, name))).code).toBe(201);
        const item = itemPath(kindCase, NAMESPACE, name);
        const paths = (await api.get(`${item}/status`)).code === 200 ? [item, `${item}/status`] : [item];
        const property = fc.asyncProperty(
          fc.constantFrom(...paths),
          bodies(kindCase, () => name),
          async (path, body) => {
            const { resourceVersion } = (await api.get(item)).object().metadata;
            // Only a body that says which version it replaces comes as far as the rules of every kind.
            const answer = await send(
              'PUT',
              path,
              body.replace('"metadata":{', `"metadata":{"resourceVersion":"${resourceVersion}",`),
              200,
            );
            if (answer.code !== 200) return;
            const read = await api.get(item);
            for (const each of paths) expect((await api.send('PUT', each, { body: read.text })).text).toBe(read.text);
          },
        );
        await fc.assert(property, propertyRuns(30));
        expect((await api.delete(item)).code).toBe(200);
      },
      propertyTimeoutMs,
    );
  },
  NO_CONTROLLERS,
);
