/** Every kind, all paths of the resource API, every verb of this server: over HTTP, against the process. */
import { describe, expect, it } from '@jest/globals';
import {
  collectionPath,
  everywherePath,
  itemPath,
  type KindCase,
  KINDS,
  removalPath,
  type SampleObject,
  watchPath,
} from '../support/kinds.ts';
import { gone } from '../support/gone.ts';
import { describeServer, WITHOUT_FAIRNESS } from '../support/stores.ts';

const RFC3339_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describeServer(
  'Kinds',
  (api) => {
    describe.each(KINDS)('$kind', (kind) => {
      const namespace = `kinds-${kind.resource}`;
      const group = kind.group === '' ? {} : { group: kind.group };
      const collection = collectionPath(kind, namespace);
      /** Creates an object of its own for one test. */
      const created = async (name: string) => {
        const answer = await api.post(collection, kind.sample(name, namespace));
        expect(answer.code).toBe(201);
        const object = answer.object();
        return { object, path: itemPath(kind, namespace, object.metadata.name) };
      };

      it('is created with what was sent and what the server adds', async () => {
        const sample = kind.sample('made', namespace);
        const { object } = await created('made');
        expect(object).toMatchObject(sample);
        expect(object.metadata.uid).toMatch(UUID);
        expect(object.metadata.creationTimestamp).toMatch(RFC3339_SECONDS);
        expect(object.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
        expect(object.metadata.generation).toBe(kind.generations[0]);
      });

      it('is read as it was created', async () => {
        const { object, path } = await created('read');
        const read = await api.get(path);
        expect(read.code).toBe(200);
        expect(read.headers['content-type']).toBe('application/json');
        expect(read.object()).toEqual(object);
      });

      it('is replaced', async () => {
        const { object, path } = await created('replaced');
        const changed = kind.change(object as unknown as SampleObject, 1);
        const answer = await api.put(path, changed);
        expect(answer.code).toBe(200);
        const replaced = answer.object();
        expect(Number(replaced.metadata.resourceVersion)).toBeGreaterThan(Number(object.metadata.resourceVersion));
        const { resourceVersion: _version, generation: _generation, managedFields: _managed, ...meta } = changed.metadata;
        expect(replaced).toMatchObject({ ...changed, metadata: meta });
        expect(replaced.metadata.generation).toBe(kind.generations[1]);
        expect((await api.get(path)).object()).toEqual(replaced);
      });

      it('keeps its resourceVersion when a replacement changes nothing', async () => {
        const { object, path } = await created('same');
        const answer = await api.put(path, object);
        expect(answer.code).toBe(200);
        expect(answer.object()).toEqual(object);
      });

      it('refuses a replacement of an older state', async () => {
        const { object, path } = await created('stale');
        await api.put(path, kind.change(object as unknown as SampleObject, 1));
        const answer = await api.put(path, kind.change(object as unknown as SampleObject, 2));
        expect(answer.code).toBe(409);
        expect(answer.status()).toMatchObject({ reason: 'Conflict', details: { name: object.metadata.name, kind: kind.resource } });
      });

      it(
        kind.putWithoutVersion ? 'takes a replacement without resourceVersion' : 'refuses a replacement without resourceVersion',
        async () => {
          const { object, path } = await created('unconditional');
          const { resourceVersion: _version, ...metadata } = object.metadata;
          const answer = await api.put(path, kind.change({ ...object, metadata }, 1));
          if (kind.putWithoutVersion) {
            expect(answer.code).toBe(200);
          } else {
            expect(answer.code).toBe(422);
            expect(answer.status().details?.causes).toContainEqual(
              expect.objectContaining({ reason: 'FieldValueInvalid', field: 'metadata.resourceVersion' }),
            );
          }
        },
      );

      it(kind.putCreates ? 'is created by a PUT of a name that does not exist' : 'is not created by a PUT', async () => {
        const sample = kind.sample('put', namespace);
        const answer = await api.put(itemPath(kind, namespace, sample.metadata.name), {
          ...sample,
          metadata: { ...sample.metadata, resourceVersion: '1' },
        });
        if (kind.putCreates) {
          expect(answer.code).toBe(201);
          expect(answer.object()).toMatchObject(sample);
        } else {
          expect(answer.code).toBe(404);
          expect(answer.status().reason).toBe('NotFound');
        }
      });

      it(`answers a delete with ${kind.deleteReturnsObject ? 'the object as it was' : 'a Status'}, and is gone`, async () => {
        const { object, path } = await created('deleted');
        const answer = await api.delete(removalPath(kind, namespace, object.metadata.name));
        expect(answer.code).toBe(200);
        if (kind.deleteReturnsObject) {
          const last = answer.object();
          const { metadata, status, ...fields } = object;
          expect(last).toMatchObject({
            ...fields,
            ...(kind.terminates || status === undefined ? {} : { status }),
            metadata: { uid: metadata.uid },
          });
          expect(Number(last.metadata.resourceVersion)).toBeGreaterThan(Number(object.metadata.resourceVersion));
        } else {
          expect(answer.status()).toMatchObject({
            apiVersion: 'v1',
            status: 'Success',
            details: { name: object.metadata.name, kind: kind.resource, ...group, uid: object.metadata.uid },
          });
        }
        await gone(api, path);
        expect((await api.get(path)).status()).toMatchObject({
          status: 'Failure',
          reason: 'NotFound',
          details: { name: object.metadata.name, kind: kind.resource, ...group },
        });
        expect((await api.delete(path)).code).toBe(404);
      });

      it('is listed in key order, without kind and apiVersion of its own', async () => {
        const names = await Promise.all(['list-b', 'list-a', 'list-c'].map(async (name) => (await created(name)).object.metadata.name));
        const answer = await api.get(collection);
        expect(answer.code).toBe(200);
        const list = answer.list();
        expect(list).toMatchObject({ kind: `${kind.kind}List`, apiVersion: kind.apiVersion });
        expect(list.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
        expect(list.metadata.continue ?? '').toBe('');
        const listed = list.items.map((item) => item.metadata.name);
        expect(listed).toEqual([...listed].sort());
        expect(listed).toEqual(expect.arrayContaining(names));
        for (const item of list.items) expect(item).not.toHaveProperty('kind');
      });

      it('is listed as an empty array when nothing matches', async () => {
        const answer = await api.get(`${collection}?labelSelector=no=such`);
        expect(answer.list().items).toEqual([]);
      });

      if (kind.namespaced) {
        it('is listed across namespaces', async () => {
          const name = 'everywhere';
          const others = [`${namespace}-1`, `${namespace}-2`];
          for (const other of others) expect((await api.post(collectionPath(kind, other), kind.sample(name, other))).code).toBe(201);
          const items = (await api.get(everywherePath(kind))).list().items;
          expect(items.filter((item) => item.metadata.name === name).map((item) => item.metadata.namespace)).toEqual(others);
          expect((await api.get(collectionPath(kind, others[0] ?? ''))).list().items).toHaveLength(1);
        });

        it('is not created on the path across namespaces', async () => {
          const answer = await api.post(everywherePath(kind), kind.sample('nowhere', namespace));
          expect(answer.code).toBe(405);
          expect(answer.status().reason).toBe('MethodNotAllowed');
        });
      }

      const streams: [string, (from: string, name: string) => string][] = [
        ['its collection with watch=true', (from) => `${collection}?watch=true&resourceVersion=${from}`],
        ['its collection under /watch/', (from) => `${watchPath(kind, collection)}?resourceVersion=${from}`],
        ['one object under /watch/', (from, name) => `${watchPath(kind, itemPath(kind, namespace, name))}?resourceVersion=${from}`],
        [
          'one object by field selector',
          (from, name) => `${collection}?watch=1&fieldSelector=metadata.name=${name}&resourceVersion=${from}`,
        ],
      ];
      if (kind.namespaced) {
        streams.push(['all namespaces with watch=true', (from) => `${everywherePath(kind)}?watch=true&resourceVersion=${from}`]);
        streams.push(['all namespaces under /watch/', (from) => `${watchPath(kind, everywherePath(kind))}?resourceVersion=${from}`]);
      }
      it.each(streams)('is watched on %s: added, modified, deleted', async (_title, pathOf) => {
        const sample = kind.sample('watched', namespace);
        const path = itemPath(kind, namespace, sample.metadata.name);
        const from = (await api.get(collection)).list().metadata.resourceVersion;
        const stream = await api.watch(pathOf(from, sample.metadata.name));
        expect(stream.contentType).toBe('application/json');
        const added = (await api.post(collection, sample)).object();
        const modified = (await api.put(path, kind.change(added as unknown as SampleObject, 1))).object();
        expect((await api.delete(removalPath(kind, namespace, sample.metadata.name))).code).toBe(200);
        const [first, second] = await stream.take(2);
        expect([first, second]).toEqual([
          { type: 'ADDED', object: added },
          { type: 'MODIFIED', object: modified },
        ]);
        // What goes later is marked first.
        const events = await stream.until(({ type }) => type === 'DELETED');
        stream.close();
        expect(events.length > 1).toBe(kind.terminates);
        const last = events.at(-1);
        const { resourceVersion, deletionTimestamp, ...lastMetadata } = last?.object.metadata ?? modified.metadata;
        // The server owns what it wrote meanwhile.
        const metadata = kind.terminates ? { ...lastMetadata, managedFields: modified.metadata.managedFields } : lastMetadata;
        expect(deletionTimestamp !== undefined).toBe(kind.terminates);
        expect(last).toMatchObject({ type: 'DELETED', object: { kind: kind.kind, metadata: { uid: modified.metadata.uid } } });
        expect(Number(resourceVersion)).toBeGreaterThan(Number(modified.metadata.resourceVersion));
        expect(metadata).toEqual({ ...modified.metadata, resourceVersion: undefined });
      });
    });

    const withStatus = KINDS.flatMap(({ status, ...kind }) => (status === undefined ? [] : [{ ...kind, status }]));
    it.each(['CronJob', 'PodDisruptionBudget'])('%s has a status that only /status writes', (name) => {
      expect(withStatus.map(({ kind }) => kind)).toContain(name);
    });

    describe.each(withStatus)('$kind status', ({ status, ...rest }) => {
      const kind: KindCase = { ...rest, status };
      const namespace = `status-${kind.resource}`;
      const collection = collectionPath(kind, namespace);

      it('is dropped on create and kept by a write to the main path', async () => {
        const sample = { ...kind.sample('main', namespace), status };
        const object = (await api.post(collection, sample)).object();
        expect(object['status']).not.toMatchObject(status);
        const answer = await api.put(itemPath(kind, namespace, 'main'), { ...object, status });
        expect(answer.object()['status']).toEqual(object['status']);
      });

      it('is replaced on /status, which keeps spec and generation', async () => {
        const object = (await api.post(collection, kind.sample('sub', namespace))).object();
        const path = `${itemPath(kind, namespace, 'sub')}/status`;
        const answer = await api.put(path, { ...kind.change(object as unknown as SampleObject, 7), status });
        expect(answer.code).toBe(200);
        const written = answer.object();
        expect(written['status']).toMatchObject(status);
        expect(written['spec']).toEqual(object['spec']);
        expect(written.metadata.generation).toBe(kind.generations[0]);
        expect((await api.get(path)).object()).toEqual(written);
        expect((await api.get(itemPath(kind, namespace, 'sub'))).object()).toEqual(written);
      });

      it('answers 404 for an object that does not exist and 405 for POST and DELETE', async () => {
        const path = `${itemPath(kind, namespace, 'none')}/status`;
        expect((await api.get(path)).status().reason).toBe('NotFound');
        expect((await api.post(path, kind.sample('none', namespace))).status()).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
        expect((await api.delete(path)).status()).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
      });
    });
  },
  WITHOUT_FAIRNESS,
);
