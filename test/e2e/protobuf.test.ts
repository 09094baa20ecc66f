/** Objects in Kubernetes' protobuf, as Go clients send them and ask for them. */
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import {
  DeleteOptionsShape,
  PartialObjectMetadataListShape,
  PartialObjectMetadataShape,
  StatusShape,
} from '../../pkg/apis/meta/v1/shapes.gen.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { parseEnvelope, writeEnvelope } from '../../pkg/schema/protobuf/envelope.ts';
import { createListMessage } from '../../pkg/schema/protobuf/list-message.ts';
import { createMessageCodec } from '../../pkg/schema/protobuf/message-codec.ts';
import { WatchFrameReader } from '../support/watch-frame-reader.ts';
import { gone } from '../support/gone.ts';
import { collectionPath, CRON_JOB, everywherePath, itemPath, KINDS, removalPath, type SampleObject } from '../support/kinds.ts';
import { describeServer, WITHOUT_FAIRNESS } from '../support/stores.ts';
import { waitFor } from '../support/wait.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const namespace = 'protobuf';
const types = new Map(
  createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX }).map(({ definition, shape }) => [
    definition.kind,
    { definition, json: createObjectCodec(shape), message: createMessageCodec(shape) },
  ]),
);

function typeOf(kind: string) {
  const found = types.get(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
}

/** The object as a body. */
function sealed(object: { readonly kind: string; readonly apiVersion: string }): Buffer {
  const { json, message } = typeOf(object.kind);
  const { kind, apiVersion } = object;
  return writeEnvelope({ kind, apiVersion }, message.encode(json.decodeBody(Buffer.from(JSON.stringify(object))).object));
}

describeServer(
  'Protobuf',
  (api) => {
    const send = (method: string, path: string, body: Buffer) => api.send(method, path, { body, headers: { 'content-type': PROTOBUF } });

    describe('bodies', () => {
      it.each(KINDS)('create, replace and delete a $kind', async (kind) => {
        const sample = kind.sample('bodies', namespace);
        const at = itemPath(kind, namespace, sample.metadata.name);
        const viaJson = await api.post(`${collectionPath(kind, namespace)}?dryRun=All`, sample);
        const created = await send('POST', collectionPath(kind, namespace), sealed(sample));
        expect(created.code).toBe(201);
        const { metadata: _, ...expected } = viaJson.object();
        expect(created.object()).toMatchObject(expected);

        const stored = created.object();
        const labels = { ...stored.metadata.labels, from: 'protobuf' };
        const labelled = { ...stored, metadata: { ...stored.metadata, labels } };
        const replaced = await send('PUT', at, sealed(labelled));
        expect([replaced.code, replaced.object().metadata.labels]).toEqual([200, labels]);
        expect((await send('PUT', at, sealed(labelled))).status()).toMatchObject({ code: 409, reason: 'Conflict' });

        const options = (uid: string) =>
          writeEnvelope(
            { kind: 'DeleteOptions', apiVersion: kind.apiVersion },
            createMessageCodec(DeleteOptionsShape).encode({ preconditions: { uid }, propagationPolicy: 'Background' }),
          );
        expect((await send('DELETE', at, options('another'))).status()).toMatchObject({ code: 409 });
        expect((await send('DELETE', at, options(stored.metadata.uid))).code).toBe(200);
        await gone(api, at);
      });

      it('are held against the path and the rules as in JSON', async () => {
        const collection = collectionPath(CRON_JOB, namespace);
        const refusalOf = async (body: Buffer) => {
          const { code, message = '' } = (await send('POST', collection, body)).status();
          return `${code} ${message}`;
        };
        const sample = CRON_JOB.sample('wrong', namespace);
        const { message } = typeOf('CronJob');
        const raw = message.encode({ metadata: { name: 'wrong' } });
        expect(await refusalOf(Buffer.alloc(0))).toMatch(/^400 .*empty/);
        expect(await refusalOf(Buffer.from(JSON.stringify(sample)))).toMatch(/^400 .*6b 38 73 00/);
        expect(await refusalOf(sealed(sample).subarray(0, 60))).toMatch(/^400 /);
        expect(await refusalOf(writeEnvelope({ kind: 'Job', apiVersion: 'batch/v1' }, raw))).toMatch(/^400 .*"Job" does not match/);
        expect(await refusalOf(writeEnvelope({ kind: 'CronJob', apiVersion: 'batch/v2' }, raw))).toMatch(
          /^400 .*"batch\/v2" does not match/,
        );
        expect(await refusalOf(writeEnvelope({ kind: '', apiVersion: '' }, raw))).toMatch(/^422 .*spec\.schedule/);
      });

      it.each(KINDS)('that say nothing of a $kind are refused by its rules, as in JSON', async (kind) => {
        const collection = collectionPath(kind, namespace);
        const inJson = (await api.post(collection, { metadata: {} })).status();
        const { apiVersion } = kind;
        const inProtobuf = (await send('POST', collection, writeEnvelope({ kind: kind.kind, apiVersion }, Buffer.alloc(0)))).status();
        expect(inJson.code).toBe(422);
        expect(inProtobuf).toEqual(inJson);
      });

      it('of a delete are DeleteOptions of any group and version', async () => {
        const { metadata } = (await api.post(collectionPath(CRON_JOB, namespace), CRON_JOB.sample('any-group', namespace))).object();
        const at = itemPath(CRON_JOB, namespace, metadata.name);
        const options = (apiVersion: string, sent: JsonObject) =>
          writeEnvelope({ kind: 'DeleteOptions', apiVersion }, createMessageCodec(DeleteOptionsShape).encode(sent));
        const selected = `${collectionPath(CRON_JOB, namespace)}?fieldSelector=metadata.name%3D${metadata.name}`;
        for (const apiVersion of ['batch/v1beta1', 'meta.k8s.io/v1', 'rbac.authorization.k8s.io/v1', 'widgets.example.com/v2']) {
          for (const path of [at, selected]) {
            expect((await send('DELETE', path, options(apiVersion, { dryRun: ['All'] }))).code).toBe(200);
            expect((await send('DELETE', path, options(apiVersion, { preconditions: { uid: 'another' } }))).code).toBe(409);
          }
          expect((await api.get(at)).object().metadata.uid).toBe(metadata.uid);
        }
        expect((await send('DELETE', at, options('widgets.example.com/v2', {}))).code).toBe(200);
      });

      it('keep unknown fields to themselves, however strict the validation', async () => {
        const { json, message } = typeOf('CronJob');
        const { object } = json.decodeBody(Buffer.from(JSON.stringify(CRON_JOB.sample('unknown', namespace))));
        // A field with the number 1000.
        const longer = Buffer.concat([message.encode(object), Buffer.from([0xc0, 0x3e, 0x01])]);
        const { kind, apiVersion } = CRON_JOB;
        const answer = await send(
          'POST',
          `${collectionPath(CRON_JOB, namespace)}?fieldValidation=Strict`,
          writeEnvelope({ kind, apiVersion }, longer),
        );
        expect([answer.code, answer.headers['warning']]).toEqual([201, undefined]);
      });
    });

    const raw = async (path: string, accept = PROTOBUF, options: RequestInit = {}) => {
      const answer = await fetch(api.baseUrl + path, { ...options, headers: { accept, ...options.headers } });
      return { code: answer.status, type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const opened = async (...args: Parameters<typeof raw>) => {
      const { code, type, bytes } = await raw(...args);
      expect(type).toBe(PROTOBUF);
      return { code, ...parseEnvelope(bytes) };
    };

    describe('answers', () => {
      it.each(KINDS)('show a $kind as in JSON: created, read, replaced, listed and deleted', async (kind) => {
        const { json, message, definition } = typeOf(kind.kind);
        const collection = collectionPath(kind, namespace);
        const sample = kind.sample('answers', namespace);
        const at = itemPath(kind, namespace, sample.metadata.name);
        const typed = { headers: { 'content-type': 'application/json' } };
        const type = { kind: kind.kind, apiVersion: kind.apiVersion };
        const asJson = async () => message.encode(json.parseStored(Buffer.from((await api.get(at)).text)));

        const created = await opened(collection, PROTOBUF, { ...typed, method: 'POST', body: JSON.stringify(sample) });
        expect(created).toMatchObject({ code: 201, ...type });
        expect(created.raw).toEqual(await asJson());
        expect((await opened(at)).raw).toEqual(created.raw);
        const sent = JSON.stringify(kind.change((await api.get(at)).json() as SampleObject, 1));
        const replaced = await opened(at, PROTOBUF, { ...typed, method: 'PUT', body: sent });
        expect(replaced.raw).toEqual(await asJson());
        expect((await opened(`${at}?resourceVersion=0`)).raw).toEqual(replaced.raw);

        const listed = (await api.get(collection)).list();
        // The server writes by itself, so the newest list may be of another revision by now.
        const exact = `resourceVersionMatch=Exact&resourceVersion=${listed.metadata.resourceVersion}`;
        const list = await opened(`${collection}?${exact}`);
        expect(list).toMatchObject({ code: 200, kind: definition.listKind, apiVersion: kind.apiVersion });
        const element = createListMessage().element(replaced.raw);
        expect(list.raw.includes(element)).toBe(true);
        expect(createMessageCodec(PartialObjectMetadataListShape).decode(list.raw)).toMatchObject({
          metadata: listed.metadata,
          items: listed.items.map(({ metadata: { name, uid } }) => ({ metadata: { name, uid } })),
        });

        const deleted = await opened(removalPath(kind, namespace, sample.metadata.name), PROTOBUF, { method: 'DELETE' });
        expect([deleted.code, deleted.kind]).toEqual([200, kind.deleteReturnsObject ? kind.kind : 'Status']);
      });

      it('refuse in a Status of protobuf, whoever refuses', async () => {
        const status = createMessageCodec(StatusShape);
        const refused = async (...args: Parameters<typeof raw>) => {
          const { kind, apiVersion, raw: bytes } = await opened(...args);
          return { kind, apiVersion, ...status.decode(bytes) };
        };
        const both = `${PROTOBUF},application/json`;
        expect(await refused(itemPath(CRON_JOB, namespace, 'missing'), both)).toEqual(
          (await api.get(itemPath(CRON_JOB, namespace, 'missing'))).json(),
        );
        expect(await refused(`${everywherePath(CRON_JOB)}?watch=1&resourceVersion=x`, `${PROTOBUF};stream=watch`)).toMatchObject({
          code: 400,
        });
        expect(await refused(collectionPath(CRON_JOB, namespace), PROTOBUF, { method: 'PUT', body: '' })).toMatchObject({ code: 405 });
        expect(await refused('/apis/batch/v1/nothing', both)).toMatchObject({ code: 404, reason: 'NotFound' });
        expect(await refused('/apis/batch/v9', both)).toMatchObject({ code: 404, reason: 'NotFound' });
        const patched = { method: 'PATCH', body: 'x', headers: { 'content-type': PROTOBUF } };
        expect(await refused(itemPath(CRON_JOB, namespace, 'missing'), both, patched)).toMatchObject({ code: 415, details: {} });
        const tooLarge = { method: 'POST', body: Buffer.alloc(3 * 1024 * 1024 + 1), headers: { 'content-type': PROTOBUF } };
        expect(await refused(collectionPath(CRON_JOB, namespace), both, tooLarge)).toMatchObject({ code: 413 });
      });

      it('are JSON where there is no other form', async () => {
        const table = 'as=Table;v=v1;g=meta.k8s.io';
        const shown = await raw(collectionPath(CRON_JOB, namespace), `${PROTOBUF};${table},application/json;${table}`);
        expect([shown.type, JSON.parse(shown.bytes.toString())]).toEqual(['application/json', expect.objectContaining({ kind: 'Table' })]);
        expect((await raw('/version', `${PROTOBUF},application/json`)).type).toBe('application/json');
        expect((await opened('/apis/batch/v1')).kind).toBe('APIResourceList');
      });

      it('show metadata alone', async () => {
        const { message } = typeOf('CronJob');
        const { metadata } = (await api.post(collectionPath(CRON_JOB, namespace), CRON_JOB.sample('alone', namespace))).object();
        const as = (kind: string) => `${PROTOBUF};as=${kind};v=v1;g=meta.k8s.io`;
        const alone = await opened(itemPath(CRON_JOB, namespace, 'alone'), as('PartialObjectMetadata'));
        expect(alone).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
        expect(createMessageCodec(PartialObjectMetadataShape).decode(alone.raw)).toMatchObject({ metadata: { uid: metadata.uid } });
        expect(message.decode(alone.raw)).toMatchObject({ spec: { schedule: '' } });
        const list = await opened(collectionPath(CRON_JOB, namespace), as('PartialObjectMetadataList'));
        expect(list.kind).toBe('PartialObjectMetadataList');
      });
    });

    describe('lists', () => {
      it('of many objects are whole, compressed or not, in pages or by labels', async () => {
        const many = 'protobuf-many';
        const collection = collectionPath(CRON_JOB, many);
        const pad = 'x'.repeat(2000);
        const create = async (i: number) => {
          const { metadata, ...rest } = CRON_JOB.sample(`n${String(i).padStart(4, '0')}`, many);
          const labels = { half: i % 2 === 0 ? 'even' : 'odd' };
          expect((await api.post(collection, { ...rest, metadata: { ...metadata, labels, annotations: { pad } } })).code).toBe(201);
        };
        for (let from = 0; from < 200; from += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => create(from + i)));
        const codec = createMessageCodec(PartialObjectMetadataListShape);
        for (const query of ['', '?limit=150', '?labelSelector=half%3Deven', '?resourceVersion=0']) {
          const { items } = (await api.get(collection + query)).list();
          const names = items.map((item) => ({ metadata: { name: item.metadata.name } }));
          for (const encoding of ['identity', 'gzip']) {
            const answer = await opened(collection + query, PROTOBUF, { headers: { 'accept-encoding': encoding } });
            // Leases and reports of the server itself raise the version of a list.
            const resourceVersion: unknown = expect.stringMatching(/^\d+$/);
            expect(codec.decode(answer.raw)).toMatchObject({ metadata: { resourceVersion }, items: names });
          }
        }
      });
    });

    describe('watches', () => {
      it('are frames: initial events, changes, bookmarks and errors', async () => {
        const watched = 'protobuf-watched';
        const collection = collectionPath(CRON_JOB, watched);
        const { message } = typeOf('CronJob');
        await api.post(collection, CRON_JOB.sample('first', watched));
        const stop = new AbortController();
        const query = '?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
        const answer = await fetch(api.baseUrl + collection + query, {
          headers: { accept: `${PROTOBUF};stream=watch,application/json` },
          signal: stop.signal,
        });
        expect(answer.headers.get('content-type')).toBe(`${PROTOBUF};stream=watch`);
        // Although fetch says that it takes gzip: an event must not wait in a compressor.
        expect(answer.headers.get('content-encoding')).toBeNull();
        const reader = new WatchFrameReader();
        const seen: string[] = [];
        const read = (async () => {
          for await (const part of answer.body ?? []) {
            const chunk: unknown = part;
            if (!(chunk instanceof Uint8Array)) throw new Error('the stream has no bytes');
            for (const { type, sealed: bytes } of reader.read(chunk)) {
              const { kind, raw: object } = parseEnvelope(bytes);
              const { metadata = {} } = message.decode(object);
              const { name = '', annotations } = metadata as { name?: string; annotations?: object };
              seen.push([type, kind, name, ...(annotations === undefined ? [] : Object.keys(annotations))].join(' '));
            }
          }
        })().catch((error: unknown) => {
          if (!stop.signal.aborted) throw error;
        });
        try {
          await waitFor(() => seen.length >= 2, { what: 'the initial events' });
          await send('POST', collection, sealed(CRON_JOB.sample('second', watched)));
          await api.delete(itemPath(CRON_JOB, watched, 'first'));
          await waitFor(() => seen.length >= 4, { what: 'the changes' });
          expect(seen).toEqual([
            'ADDED CronJob first',
            'BOOKMARK CronJob  k8s.io/initial-events-end',
            'ADDED CronJob second',
            'DELETED CronJob first',
          ]);
        } finally {
          stop.abort();
          await read;
        }

        const expired = await raw(`${collection}?watch=true&resourceVersion=1`, `${PROTOBUF};stream=watch`);
        const [error] = new WatchFrameReader().read(expired.bytes);
        const status = parseEnvelope(error?.sealed ?? Buffer.alloc(0));
        expect([error?.type, status.kind, createMessageCodec(StatusShape).decode(status.raw)]).toEqual([
          'ERROR',
          'Status',
          expect.objectContaining({ code: 410, reason: 'Expired' }),
        ]);
      });
    });
  },
  WITHOUT_FAIRNESS,
);
