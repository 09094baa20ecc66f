/** Bodies that are wrong in random places never hurt the server: it takes or refuses each, in good time, and goes on. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { itemPath, collectionPath, KINDS } from '../support/kinds.ts';
import { mutated } from '../support/mutations.ts';
import { propertyRuns, propertyTimeoutMs } from '../support/property-runs.ts';
import { realisticSample } from '../support/realistic-sample.ts';
import { describeServer } from '../support/stores.ts';

const NAMESPACE = 'default';
const EXPECTED = [201, 400, 409, 422];
/** No body here is worth more of the server's time. */
const ANSWER_MS = 5000;

describeServer('A body that is wrong in random places', (api) => {
  let named = 0;

  it.each(KINDS)(
    'is taken or refused as a $kind, and the server goes on',
    async (kindCase) => {
      const { kind, namespaced } = kindCase;
      const collection = collectionPath(kindCase, NAMESPACE);
      const freshName = () => `${kind === 'StorageVersion' ? 'batch.' : ''}h${++named}`;
      const sample = () => {
        const realistic = realisticSample(kind);
        const { resourceVersion: _, ...metadata } = realistic.metadata;
        return { ...realistic, metadata: { ...metadata, name: freshName(), ...(namespaced ? { namespace: NAMESPACE } : {}) } };
      };
      /** What was taken can be read, sent back and deleted. */
      const expectUsable = async (name: string): Promise<void> => {
        const path = itemPath(kindCase, NAMESPACE, encodeURIComponent(name));
        const read = await api.get(path);
        expect([read.code, (await api.send('PUT', path, { body: read.text })).text]).toEqual([200, read.text]);
        expect((await api.delete(path)).code).toBe(200);
      };

      expect((await api.post(collection, sample())).code).toBe(201);
      const property = fc.asyncProperty(mutated(sample), async (body) => {
        const begun = performance.now();
        const answer = await api.send('POST', collection, { body });
        expect(performance.now() - begun).toBeLessThan(ANSWER_MS);
        if (!EXPECTED.includes(answer.code)) throw new Error(`${answer.code} ${answer.text.slice(0, 1000)}`);
        if (answer.code === 201) await expectUsable(answer.object().metadata.name);
        else if (answer.code === 422) expect(answer.status().details?.causes).not.toEqual([]);
      });
      await fc.assert(property, propertyRuns(60));

      const small = kindCase.sample(freshName().replace('batch.', ''), NAMESPACE);
      expect((await api.post(collection, small)).code).toBe(201);
      expect((await api.delete(itemPath(kindCase, NAMESPACE, small.metadata.name))).code).toBe(200);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
    propertyTimeoutMs,
  );
});
