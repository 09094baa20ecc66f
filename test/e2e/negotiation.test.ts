/** The forms that answers and bodies take: YAML, indented JSON and gzip, and what is refused. */
import { gunzipSync } from 'node:zlib';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { jsonToYaml } from '../../pkg/apimachinery/yaml/json-to-yaml.ts';
import type { ApiObject, ObjectList, StatusBody } from '../support/api-object.ts';
import { gone } from '../support/gone.ts';
import { CONTROLLER_REVISION, CRON_JOB, KINDS, collectionPath, everywherePath, itemPath } from '../support/kinds.ts';
import { describeServer, WITHOUT_FAIRNESS } from '../support/stores.ts';

const namespace = 'negotiation';
const collection = collectionPath(CRON_JOB, namespace);
const item = (name: string) => itemPath(CRON_JOB, namespace, name);
const sample = (name: string) => CRON_JOB.sample(name, namespace);
const YAML = { accept: 'application/yaml', 'content-type': 'application/yaml' };
const CURL = { 'user-agent': 'curl/8.5.0', accept: '*/*' };
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

interface RawAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

describeServer(
  'Negotiation',
  (api) => {
    const raw = (path: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> =>
      new Promise((resolve, reject) => {
        httpRequest(api.baseUrl + path, { headers }, (message) => {
          buffer(message).then((bytes) => resolve({ code: message.statusCode ?? 0, headers: message.headers, bytes }), reject);
        })
          .once('error', reject)
          .end();
      });

    describe('YAML', () => {
      it.each(KINDS)('creates, reads, replaces and deletes a $kind', async (kind) => {
        const name = kind.sample('yaml', namespace).metadata.name;
        const at = itemPath(kind, namespace, name);
        const created = await api.send('POST', collectionPath(kind, namespace), {
          body: stringify(kind.sample('yaml', namespace)),
          headers: YAML,
        });
        expect([created.code, created.headers['content-type']]).toEqual([201, 'application/yaml']);
        const stored = (await api.get(at)).object();
        expect(parse(created.text)).toEqual(stored);

        const read = await api.get(at, { accept: 'application/yaml' });
        expect(read.headers['content-type']).toBe('application/yaml');
        expect(parse(read.text, { version: '1.1' })).toEqual(stored);
        expect(read.text.match(/^\w+(?=:)/gm)).toEqual(Object.keys(stored).sort());

        const body = read.text.replace(/^metadata:\n/m, 'metadata:\n  annotations:\n    from: yaml\n');
        const replaced = await api.send('PUT', at, { body, headers: YAML });
        expect(replaced.code).toBe(200);
        expect((parse(replaced.text) as ApiObject).metadata.annotations).toEqual({ from: 'yaml' });

        const listed = await api.get(collectionPath(kind, namespace), { accept: 'application/yaml' });
        expect(parse(listed.text)).toEqual((await api.get(collectionPath(kind, namespace))).list());

        const removed = await api.send('DELETE', at, { body: 'propagationPolicy: Background\n', headers: YAML });
        expect([removed.code, removed.headers['content-type']]).toEqual([200, 'application/yaml']);
        await gone(api, at);
      });

      it('keeps every token of free-form data, both ways', async () => {
        const data = '{"z":1.0,"a":9007199254740993,"e":1E+2,"m":-0,"t":"yes","none":null,"l":[[],{}],"0x1":"0x1"}';
        const body = `apiVersion: apps/v1\nkind: ControllerRevision\nmetadata: {name: tokens}\nrevision: 9007199254740993\ndata:\n  z: 1.0\n  a: 9007199254740993\n  e: 1E+2\n  m: -0\n  t: "yes"\n  none: null\n  l: [[], {}]\n  "0x1": "0x1"\n`;
        const at = itemPath(CONTROLLER_REVISION, namespace, 'tokens');
        expect((await api.send('POST', collectionPath(CONTROLLER_REVISION, namespace), { body, headers: YAML })).code).toBe(201);
        const { text } = await api.get(at);
        expect(text).toContain(`"data":${data}`);
        expect(text).toContain('"revision":9007199254740993');
        const yaml = await api.get(at, { accept: 'application/yaml' });
        for (const line of ['  z: 1.0', '  a: 9007199254740993', '  e: 1E+2', '  m: -0', '  t: "yes"', '  "0x1": "0x1"']) {
          expect(yaml.text).toContain(`${line}\n`);
        }
        expect((await api.get(at, CURL)).text).toContain('    "z": 1.0,\n    "a": 9007199254740993,\n    "e": 1E+2,\n    "m": -0,\n');
      });

      it('finds unknown and duplicate fields as in JSON', async () => {
        const body = stringify(sample('findings')).replace('spec:\n', 'spec:\n  schedul: x\n  schedule: "1 * * * *"\n');
        const warned = await api.send('POST', collection, { body, headers: YAML });
        expect(warned.code).toBe(201);
        expect(warned.headers['warning']).toBe('299 - "unknown field \\"spec.schedul\\"", 299 - "duplicate field \\"spec.schedule\\""');
        const strict = await api.send('POST', `${collection}?fieldValidation=Strict`, {
          body,
          headers: { 'content-type': 'application/yaml' },
        });
        expect(strict.status()).toMatchObject({ code: 400, reason: 'BadRequest' });
        expect(strict.text).toContain('strict decoding error: unknown field \\"spec.schedul\\", duplicate field \\"spec.schedule\\"');
      });

      it('takes anchors, merge keys, words of YAML 1.1, JSON, and the first of several documents', async () => {
        const text = `
x: &labels {a: "1", b: "2"}
apiVersion: batch/v1
kind: CronJob
metadata:
  name: features
  labels: {<<: *labels, c: "3"}
spec:
  suspend: yes
  schedule: "* * * * *"
  jobTemplate: ${JSON.stringify(sample('x')['spec']).replace(/^.*"jobTemplate":(.*)\}$/, '$1')}
---
kind: Other
`;
        const answer = await api.send('POST', collection, { body: text, headers: YAML });
        expect(answer.code).toBe(201);
        const stored = (await api.get(item('features'))).object();
        expect(stored.metadata.labels).toEqual({ a: '1', b: '2', c: '3' });
        expect(stored['spec']).toMatchObject({ suspend: true });
        const json = await api.send('POST', collection, { body: JSON.stringify(sample('json')), headers: YAML });
        expect(json.code).toBe(201);
      });

      it.each([
        ['a: 1\n b: 2\n', /yaml: line 1/],
        ['a:\n\tb: 1\n', /yaml: line 2/],
        ['a: !secret x\n', /tag/],
        ['a: *nowhere\n', /unknown anchor/],
        ['a: &a [*a]\n', /contains itself/],
        ['{a: 1}: b\n', /key/],
        ['- a\n', /must be a JSON object/],
        ['"\u0000', /yaml: line 1/],
        [`a: ${'['.repeat(500)}${']'.repeat(500)}`, /nested deeper/],
        [
          `a: &a [x,x,x,x,x,x,x,x]\n${[...'bcdefghi']
            .map(
              (c, at) =>
                `${c}: &${c} [${Array(9)
                  .fill(`*${'abcdefgh'.charAt(at)}`)
                  .join(',')}]\n`,
            )
            .join('')}`,
          /aliasing/,
        ],
      ])('is refused with its line when it is broken: %#', async (body, message) => {
        const answer = await api.send('POST', collection, { body, headers: { 'content-type': 'application/yaml' } });
        expect(answer.status()).toMatchObject({ code: 400, reason: 'BadRequest', message: expect.stringMatching(message) as unknown });
      });

      it('refuses in YAML whoever asks for YAML', async () => {
        const answer = await api.get(item('nobody'), { accept: 'application/yaml' });
        expect([answer.code, answer.headers['content-type']]).toEqual([404, 'application/yaml']);
        expect(parse(answer.text) as StatusBody).toMatchObject({ kind: 'Status', code: 404, reason: 'NotFound' });
        const nowhere = await api.get('/apis/batch/v1/nothing', { accept: 'application/yaml' });
        expect(parse(nowhere.text)).toMatchObject({ kind: 'Status', code: 404 });
      });

      it('does not hold up other requests while a hostile body is read', async () => {
        const hostile = api.send('POST', collection, { body: `[${','.repeat(50_000)}]`, headers: { 'content-type': 'application/yaml' } });
        let slowest = 0;
        for (let turn = 0; turn < 20; turn++) {
          const begin = performance.now();
          expect((await api.get('/livez')).code).toBe(200);
          slowest = Math.max(slowest, performance.now() - begin);
        }
        expect(slowest).toBeLessThan(1000);
        expect((await hostile).code).toBe(400);
      });
    });

    describe('indented JSON', () => {
      it.each([
        [{ 'user-agent': 'curl/8.5.0' }, '', true],
        [{ 'user-agent': 'Wget/1.21.3' }, '', true],
        [{ 'user-agent': 'Mozilla/5.0 (X11)' }, '', true],
        [{ 'user-agent': 'kubectl/v1.36.0' }, '', false],
        [{}, '?pretty=true', true],
        [{}, '?pretty=maybe', false],
        [{ 'user-agent': 'curl/8.5.0' }, '?pretty=false', false],
        [{ accept: 'application/json;pretty=1' }, '', true],
      ])('is for people: %j %s: %s', async (headers, query, expected) => {
        await api.post(collection, sample('pretty'));
        const compact = await api.get(item('pretty'));
        const { text, headers: answered } = await api.get(`${item('pretty')}${query}`, headers);
        expect(answered['content-type']).toBe('application/json');
        expect(text).toBe(expected ? JSON.stringify(compact.json(), undefined, 2) : compact.text);
      });

      it('is what refusals are, and never a watch', async () => {
        const refusal = await api.get(item('nobody'), CURL);
        expect(refusal.text).toBe(JSON.stringify(refusal.json(), undefined, 2));
        const watch = await raw(`${collection}?watch=true&timeoutSeconds=1`, CURL);
        const lines = watch.bytes.toString().split('\n').filter(Boolean);
        expect(lines.length).toBeGreaterThan(0);
        for (const line of lines) expect(JSON.parse(line)).toMatchObject({ type: 'ADDED' });
      });
    });

    describe('a list of some thousand objects', () => {
      const many = collectionPath(CRON_JOB, 'many');
      it('is the same compact, indented, as YAML, and each of them compressed', async () => {
        const body = (index: number) => ({
          ...CRON_JOB.sample(`many-${index}`, 'many'),
          metadata: { name: `many-${index}`, annotations: { text: `é "quoted"\n${'x'.repeat(200)}` } },
        });
        for (let from = 0; from < 2000; from += 100) {
          const codes = await Promise.all(Array.from({ length: 100 }, async (_, index) => (await api.post(many, body(from + index))).code));
          expect(new Set(codes)).toEqual(new Set([201]));
        }
        // Of one revision: the server itself may write between two lists.
        const { resourceVersion } = (await api.get(`${many}?limit=1`)).list().metadata;
        const path = `${many}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
        const plain = await raw(path, {});
        const list = JSON.parse(plain.bytes.toString()) as ObjectList;
        expect(list.items).toHaveLength(2000);
        expect(plain.headers['content-length']).toBe(String(plain.bytes.byteLength));
        const pretty = await raw(path, CURL);
        expect(pretty.headers['content-encoding']).toBeUndefined();
        expect(pretty.bytes.toString()).toBe(JSON.stringify(list, undefined, 2));
        const zipped = await raw(path, { ...CURL, 'accept-encoding': 'deflate, gzip, br' });
        expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding', 'content-type': 'application/json' });
        expect(gunzipSync(zipped.bytes).equals(pretty.bytes)).toBe(true);
        const yaml = await raw(path, { accept: 'application/yaml' });
        expect(yaml.bytes.toString().startsWith('apiVersion: batch/v1\nitems:\n- metadata:\n')).toBe(true);
        expect(yaml.bytes.toString()).toBe(jsonToYaml(plain.bytes));
        const zippedYaml = await raw(path, { accept: 'application/yaml', 'accept-encoding': 'gzip' });
        expect(zippedYaml.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'application/yaml' });
        expect(gunzipSync(zippedYaml.bytes).equals(yaml.bytes)).toBe(true);
        const small = await raw(`${many}?limit=2`, { ...CURL, 'accept-encoding': 'gzip' });
        expect(small.headers['content-encoding']).toBeUndefined();
        const table = 'as=Table;v=v1;g=meta.k8s.io';
        for (const headers of [{ ...CURL, accept: `application/json;${table}` }, { accept: `application/yaml;${table}` }]) {
          const smallTable = await raw(`${many}?limit=2`, { ...headers, 'accept-encoding': 'gzip' });
          expect([smallTable.code, smallTable.headers['content-encoding']]).toEqual([200, undefined]);
        }
      }, 60_000);

      it('is dropped without harm when the reader goes in the middle', async () => {
        for (const headers of [{ accept: 'application/yaml' }, CURL, { ...CURL, 'accept-encoding': 'gzip' }]) {
          await new Promise<void>((resolve, reject) => {
            const sent = httpRequest(api.baseUrl + many, { headers }, (message) => {
              message.once('data', () => {
                message.destroy();
                resolve();
              });
            });
            sent.once('error', reject).end();
          });
        }
        expect((await api.get('/livez')).code).toBe(200);
        expect(api.server().output()).not.toMatch(/broke off|could not be encoded/);
      });
    });

    it('compresses one large object, in every form', async () => {
      const data = { lines: Array.from({ length: 10_000 }, (_, index) => `line number ${index}`) };
      const at = itemPath(CONTROLLER_REVISION, namespace, 'large');
      expect(
        (await api.post(collectionPath(CONTROLLER_REVISION, namespace), { ...CONTROLLER_REVISION.sample('large', namespace), data })).code,
      ).toBe(201);
      const plain = await raw(at, {});
      for (const headers of [{}, CURL, { accept: 'application/yaml' }]) {
        const open = await raw(at, headers);
        expect(parse(open.bytes.toString())).toEqual(JSON.parse(plain.bytes.toString()));
        const zipped = await raw(at, { ...headers, 'accept-encoding': 'gzip' });
        expect(zipped.headers['content-encoding']).toBe('gzip');
        expect(gunzipSync(zipped.bytes).equals(open.bytes)).toBe(true);
      }
    });

    describe('Accept', () => {
      it.each([
        [`application/cbor, application/json`, 200],
        [`${PROTOBUF};q=0.5,application/json;q=0.9,*/*;q=0.8`, 200],
        ['application/json;stream=watch', 200],
        ['text/html,*/*;q=0.1', 200],
        [`${PROTOBUF};as=Chart;g=meta.k8s.io;v=v1,application/json`, 200],
        ['application/cbor', 406],
        ['text/yaml', 406],
        ['application/json;as=Chart;g=meta.k8s.io;v=v1', 406],
      ])('%s on a list: %d', async (accept, code) => {
        const answer = await api.get(collection, { accept });
        expect([answer.code, answer.headers['content-type']]).toEqual([code, 'application/json']);
        if (code === 406) {
          expect(answer.status()).toMatchObject({
            reason: 'NotAcceptable',
            message: 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
          });
          expect(answer.text).toBe(JSON.stringify(answer.json(), undefined, 2));
        }
      });

      it.each([
        ['application/yaml', 406, 'application/yaml'],
        ['application/cbor;stream=watch', 406, 'application/json'],
        [`${PROTOBUF};stream=watch`, 200, `${PROTOBUF};stream=watch`],
        [`${PROTOBUF};stream=watch,application/json;stream=watch`, 200, `${PROTOBUF};stream=watch`],
        [`application/cbor;stream=watch,application/json;stream=watch`, 200, 'application/json'],
        ['application/yaml,application/json', 200, 'application/json'],
      ])('%s on a watch: %d', async (accept, code, type) => {
        const answer = await api.get(`${everywherePath(CRON_JOB)}?watch=true&timeoutSeconds=1&resourceVersion=0`, { accept });
        expect([answer.code, answer.headers['content-type']]).toEqual([code, type]);
      });

      it('is refused before anything is written', async () => {
        const answer = await api.send('POST', collection, {
          body: JSON.stringify(sample('unwritten')),
          headers: { accept: 'application/cbor' },
        });
        expect(answer.code).toBe(406);
        expect((await api.get(item('unwritten'))).code).toBe(404);
      });
    });

    it.each(['text/yaml', 'application/x-yaml', 'application/cbor', 'text/plain', 'application/json-patch+json'])(
      'does not read a body of %s',
      async (type) => {
        const answer = await api.send('POST', collection, { body: JSON.stringify(sample('type')), headers: { 'content-type': type } });
        expect(answer.status()).toMatchObject({
          code: 415,
          reason: 'UnsupportedMediaType',
          message:
            'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
        });
      },
    );

    it('takes JSON from a client that would rather send CBOR, and asks for it first', async () => {
      const accept = 'application/json;q=0.9,application/cbor;q=1';
      const body = JSON.stringify(sample('cbor'));
      const send = (method: string, path: string, type: string) =>
        api.send(method, path, { body, headers: { accept, 'content-type': type } });
      // Once it was told 415, client-go sends JSON.
      expect((await send('POST', collection, 'application/cbor')).code).toBe(415);
      const created = await send('POST', collection, 'application/json');
      expect([created.code, created.headers['content-type']]).toEqual([201, 'application/json']);
      const applied = await send('PATCH', `${item('cbor')}?fieldManager=m`, 'application/apply-patch+cbor');
      expect(applied.status()).toMatchObject({ code: 415, reason: 'UnsupportedMediaType', details: {} });
      const watch = await api.get(`${collection}?watch=true&timeoutSeconds=1&resourceVersion=0`, { accept });
      expect([watch.code, watch.headers['content-type']]).toEqual([200, 'application/json']);
    });

    it.each(['application/json; charset=ISO-8859-1', 'application/json;', 'application/json; x="a;b"'])(
      'reads a body of %s as JSON',
      async (type) => {
        const body = JSON.stringify(sample('parameters'));
        expect((await api.send('POST', `${collection}?dryRun=All`, { body, headers: { 'content-type': type } })).code).toBe(201);
      },
    );

    describe('headers', () => {
      it('are those that clients look at', async () => {
        await api.post(collection, sample('headers'));
        const { headers } = await api.get(item('headers'), { 'audit-id': 'mine-1' });
        expect(headers).toMatchObject({ 'audit-id': 'mine-1', 'cache-control': 'no-cache, private', 'content-type': 'application/json' });
        expect(Date.parse(headers.date ?? '')).toBeGreaterThan(0);
        expect(headers['x-content-type-options']).toBeUndefined();
      });

      it('warn of owner references that were sent twice, also on a refusal', async () => {
        // An owner of a kind that is not served may exist, so the object stays.
        const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'o', uid: 'u-1' };
        const body = { ...sample('owned'), metadata: { name: 'owned', ownerReferences: [owner, owner, { ...owner, uid: 'u-2' }] } };
        const text =
          '299 - ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u-1"';
        const created = await api.post(collection, body);
        expect([created.code, created.headers['warning']]).toEqual([201, text]);
        const again = await api.post(collection, body);
        expect([again.code, again.headers['warning']]).toEqual([409, text]);
        const replaced = await api.put(item('owned'), { ...body, nonsense: 1 });
        expect([replaced.code, replaced.headers['warning']]).toEqual([200, `299 - "unknown field \\"nonsense\\"", ${text}`]);
      });
    });
  },
  WITHOUT_FAIRNESS,
);
