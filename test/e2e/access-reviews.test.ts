/** Who am I, and what may I do: the reviews that clients ask before they try. */
import { request as httpsRequest } from 'node:https';
import { buffer as readBuffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse as parseYaml, stringify as toYaml } from 'yaml';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { StatusShape } from '../../pkg/apis/meta/v1/shapes.gen.ts';
import { createReviews } from '../../pkg/apis/reviews.gen.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { openEnvelope, sealEnvelope } from '../../pkg/schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../pkg/schema/protobuf/message-codec.ts';
import { toAnswer, type Answer } from '../support/api.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { describeServer } from '../support/stores.ts';
import { BACKENDS, openTestStore, type TestStore } from '../support/test-store.ts';
import { deadline } from '../support/wait.ts';

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const ACCESS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const RULES = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const CREATE = { verb: 'create', group: 'batch', resource: 'cronjobs', namespace: 'default' };
const TIME = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown as string;

const EVERYTHING = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [
    { verbs: ['*'], nonResourceURLs: ['*'] },
    { verbs: ['get', 'head'], nonResourceURLs: expect.arrayContaining(['/healthz', '/readyz/*']) as unknown as string[] },
  ],
  incomplete: false,
};
const UNSECURED = { userInfo: { username: 'system:unsecured', groups: ['system:masters', 'system:authenticated'] } };

const types = new Map(
  createReviews({ groupSuffix: DEFAULT_GROUP_SUFFIX }).map(({ definition, shape }) => [
    `/apis/${definition.apiVersion}/${definition.resource}`,
    { definition, json: createObjectCodec(shape), message: createMessageCodec(shape) },
  ]),
);
const typeOf = (path: string) => {
  const found = types.get(path);
  if (found === undefined) throw new Error(`no review has the path ${path}`);
  return found;
};
const sealed = (path: string, object: object): Buffer => {
  const { definition, json, message } = typeOf(path);
  return sealEnvelope(definition, message.encode(json.decodeBody(Buffer.from(JSON.stringify(object))).object));
};
const opened = (path: string, bytes: Buffer) => {
  const { kind, apiVersion, raw } = openEnvelope(bytes);
  return { kind, apiVersion, ...(kind === 'Status' ? createMessageCodec(StatusShape) : typeOf(path).message).decode(raw) };
};

/** [path, what is asked, the answer without metadata] */
const ASKED = [
  [WHO, {}, { status: UNSECURED }],
  [ACCESS, { spec: { resourceAttributes: CREATE } }, { spec: { resourceAttributes: CREATE }, status: { allowed: true } }],
  [RULES, { spec: { namespace: 'default' } }, { spec: {}, status: EVERYTHING }],
] as const;

describeServer('A review', (api) => {
  describe.each(ASKED)('at %s', (path, question, answer) => {
    const expected = { kind: typeOf(path).definition.kind, apiVersion: typeOf(path).definition.apiVersion, ...answer };

    it('is answered in JSON and in YAML, whichever it was sent in', async () => {
      for (const [type, body] of [
        ['application/json', JSON.stringify(question)],
        ['application/yaml', toYaml(question)],
      ] as const) {
        const json = await api.send('POST', path, { body, headers: { 'content-type': type } });
        expect([json.code, json.headers['content-type'], json.json()]).toEqual([
          201,
          'application/json',
          expect.objectContaining(expected),
        ]);
        const yaml = await api.send('POST', path, { body, headers: { 'content-type': type, accept: 'application/yaml' } });
        expect([yaml.code, yaml.headers['content-type'], parseYaml(yaml.text)]).toEqual([
          201,
          'application/yaml',
          expect.objectContaining(expected),
        ]);
      }
    });

    it('is stored nowhere: it can be created, and nothing else', async () => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const refused = await api.send(method, path, { body: '{}' });
        expect([method, refused.code, refused.headers.allow, refused.status().reason]).toEqual([method, 405, 'POST', 'MethodNotAllowed']);
      }
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        expect([method, (await api.send(method, `${path}/a`, { body: '{}' })).status().code]).toEqual([method, 404]);
      }
      expect((await api.get(path.replace('/v1/', '/v1/watch/'))).code).toBe(404);
      expect((await api.post(path.replace('/v1/', '/v1/namespaces/a/'), question)).code).toBe(404);
    });

    it('has no table; its metadata can be had alone', async () => {
      const as = (form: string) => ({ body: question, headers: { accept: `application/json;as=${form};v=v1;g=meta.k8s.io` } });
      expect((await api.send('POST', path, as('Table'))).status()).toMatchObject({ code: 406, reason: 'NotAcceptable' });
      expect((await api.send('POST', path, as('PartialObjectMetadataList'))).status().message).toMatch(/is not a list/);
      const alone = await api.send('POST', path, as('PartialObjectMetadata'));
      expect([alone.code, Object.keys(alone.json() as object)]).toEqual([201, ['kind', 'apiVersion', 'metadata']]);
      const { accept } = as('Table').headers;
      expect((await api.send('POST', path, { body: question, headers: { accept: `${accept},application/json` } })).code).toBe(201);
    });

    it('is held to fieldValidation and dryRun like every object', async () => {
      const odd = { ...question, odd: 1 };
      expect((await api.post(path, odd)).headers.warning).toBe('299 - "unknown field \\"odd\\""');
      expect((await api.post(`${path}?fieldValidation=Ignore`, odd)).headers.warning).toBeUndefined();
      expect((await api.post(`${path}?fieldValidation=Strict`, odd)).status()).toMatchObject({ code: 400, reason: 'BadRequest' });
      expect((await api.post(`${path}?dryRun=All`, question)).json()).toMatchObject(answer);
      expect((await api.post(`${path}?dryRun=Some`, question)).status()).toMatchObject({ code: 422, reason: 'Invalid' });
    });

    it.each([
      ['no body', '', 'application/json', 400],
      ['half an object', '{"spec":', 'application/json', 400],
      ['a list', '[]', 'application/json', 400],
      ['another kind', '{"kind":"CronJob","apiVersion":"batch/v1"}', 'application/json', 400],
      ['another version', '{"apiVersion":"authorization.k8s.io/v1beta1"}', 'application/json', 400],
      ['a wrong type', '{"metadata":[]}', 'application/json', 400],
      ['no protobuf', 'k8s', PROTOBUF, 400],
      ['text', 'who am I', 'text/plain', 415],
    ])('refuses %s', async (_, body, type, code) => {
      expect((await api.send('POST', path, { body, headers: { 'content-type': type } })).status().code).toBe(code);
    });

    it('refuses a message that is cut off anywhere, or of another kind', async () => {
      const whole = sealed(path, { metadata: { labels: { a: 'b' } }, ...question });
      for (const body of [whole.subarray(0, 3), whole.subarray(0, whole.length / 2), whole.subarray(0, -5)]) {
        expect((await api.send('POST', path, { body, headers: { 'content-type': PROTOBUF } })).status().code).toBe(400);
      }
      const other = path === WHO ? RULES : WHO;
      const refused = await api.send('POST', path, { body: sealed(other, {}), headers: { 'content-type': PROTOBUF } });
      expect(refused.status()).toMatchObject({ code: 400, message: expect.stringMatching(/^kind: /) });
    });
  });

  it('names whoever asks, when, and nothing that was sent', async () => {
    const sent = { metadata: { name: 'a', namespace: 'b', labels: { c: 'd' } }, status: { userInfo: { username: 'somebody-else' } } };
    expect((await api.post(WHO, sent)).json()).toMatchObject({ metadata: { creationTimestamp: TIME }, status: UNSECURED });
    expect(Object.keys((await api.post(WHO, sent)).object().metadata)).toEqual(['creationTimestamp']);
  });

  it('of access comes back with its sender, and refuses metadata and a question that is none or two', async () => {
    const { metadata } = (
      await api.send('POST', ACCESS, {
        body: { spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' } } },
        headers: { 'user-agent': 'asker/1.0' },
      })
    ).object();
    expect(metadata).toEqual({
      managedFields: [
        {
          manager: 'asker',
          operation: 'Update',
          apiVersion: 'authorization.k8s.io/v1',
          time: TIME,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:nonResourceAttributes': { '.': {}, 'f:path': {}, 'f:verb': {} } } },
        },
      ],
    });
    const fieldsOf = async (body: object) => {
      const { code, reason, details } = (await api.post(ACCESS, body)).status();
      return [code, reason, ...(details?.causes ?? []).map(({ field }) => field)];
    };
    expect(await fieldsOf({})).toEqual([422, 'Invalid', 'spec.resourceAttributes']);
    expect(await fieldsOf({ spec: { resourceAttributes: CREATE, nonResourceAttributes: {} } })).toEqual([
      422,
      'Invalid',
      'spec.nonResourceAttributes',
    ]);
    expect(await fieldsOf({ metadata: { name: 'a' }, spec: { resourceAttributes: CREATE } })).toEqual([422, 'Invalid', 'metadata']);
    expect((await api.post(RULES, { spec: {} })).status()).toMatchObject({ code: 400, message: 'no namespace on request' });
  });

  it('is found by discovery, with one verb and no hash of what is stored', async () => {
    const resourcesOf = async (groupVersion: string) =>
      ((await api.get(`/apis/${groupVersion}`)).json() as { resources: unknown }).resources;
    const named = (name: string, kind: string) => ({ name: `${name}s`, singularName: name, namespaced: false, kind, verbs: ['create'] });
    expect(await resourcesOf('authentication.k8s.io/v1')).toEqual([named('selfsubjectreview', 'SelfSubjectReview')]);
    expect(await resourcesOf('authorization.k8s.io/v1')).toEqual([
      named('selfsubjectaccessreview', 'SelfSubjectAccessReview'),
      named('selfsubjectrulesreview', 'SelfSubjectRulesReview'),
    ]);
    expect((await api.get('/apis/authorization.k8s.io/v1/subjectaccessreviews')).status().code).toBe(404);
    const { paths } = (await api.get('/openapi/v3/apis/authorization.k8s.io/v1')).json() as { paths: Record<string, object> };
    expect(Object.keys(paths)).toEqual(['/apis/authorization.k8s.io/v1/', ACCESS, RULES]);
    expect(Object.keys(paths[ACCESS] ?? {})).toEqual(['parameters', 'post']);
  });
});

const USERS = [
  { token: 'alices-token', user: 'alice', groups: ['dev', 'ops'] },
  { token: 'bobs-token', user: 'bob' },
];

describe.each(BACKENDS)('Whoever asks, on %s,', (backend) => {
  let store: TestStore;
  let server: SecureServer;
  beforeAll(async () => {
    store = await openTestStore(backend);
    server = await startSecureServer(backend === 'etcd' ? store.flags : [], { tokens: USERS });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await store.close();
  }, 30_000);

  interface Sent {
    readonly token?: string;
    readonly admin?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
  }
  const ask = async (path: string, body: Buffer | object, { token, admin = false, headers = {} }: Sent = {}) => {
    const { ca, cert, key, url } = server;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const answered = new Promise<{ readonly answer: Answer; readonly bytes: Buffer }>((resolve, reject) => {
      const request = httpsRequest(
        url + path,
        {
          method: 'POST',
          agent: false,
          ca,
          ...(admin ? { cert, key } : {}),
          headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
        },
        (message) => {
          readBuffer(message).then(
            (read) => resolve({ answer: toAnswer(message.statusCode ?? 0, message.headers, read.toString()), bytes: read }),
            reject,
          );
        },
      );
      request.once('error', reject);
      request.end(bytes);
    });
    return deadline(answered, 10_000, `the answer to POST ${path}`);
  };
  const whoIs = async (sent: Sent) => ((await ask(WHO, {}, sent)).answer.json() as { status: { userInfo: unknown } }).status.userInfo;

  it('with a token is named with uid and groups', async () => {
    expect(await whoIs({ token: 'alices-token' })).toEqual({
      username: 'alice',
      uid: 'alice-uid',
      groups: ['dev', 'ops', 'system:authenticated'],
    });
    expect(await whoIs({ token: 'bobs-token' })).toEqual({ username: 'bob', uid: 'bob-uid', groups: ['system:authenticated'] });
  });

  it('with a certificate is named with what the certificate says, and which one it was', async () => {
    expect(await whoIs({ admin: true })).toEqual({
      username: 'coxswain-admin',
      groups: ['system:masters', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
    });
  });

  it('may do everything once authenticated', async () => {
    for (const spec of [
      { resourceAttributes: { verb: '*', group: '*', resource: '*' } },
      { nonResourceAttributes: { path: '/metrics', verb: 'get' } },
    ]) {
      const { answer } = await ask(ACCESS, { spec }, { token: 'bobs-token' });
      expect(answer.json()).toMatchObject({ spec, status: { allowed: true } });
    }
  });

  it('without credentials may not even ask', async () => {
    for (const [path, question] of ASKED) {
      const { answer } = await ask(path, question);
      expect(answer.status()).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message: expect.stringMatching(/^selfsubject\w*reviews\.auth\w+\.k8s\.io is forbidden: User "system:anonymous" cannot create/),
      });
    }
  });

  it.each(ASKED)('in protobuf at %s is answered in protobuf', async (path, question, expected) => {
    const sent = { token: 'alices-token', headers: { 'content-type': PROTOBUF, accept: `${PROTOBUF},application/json` } };
    const { answer, bytes } = await ask(path, sealed(path, question), sent);
    expect([answer.code, answer.headers['content-type']]).toEqual([201, PROTOBUF]);
    const { kind, apiVersion } = typeOf(path).definition;
    const status =
      path === WHO
        ? { userInfo: { username: 'alice', uid: 'alice-uid', groups: ['dev', 'ops', 'system:authenticated'] } }
        : expected.status;
    expect(opened(path, bytes)).toMatchObject({ kind, apiVersion, status });
  });

  it('in protobuf is told of a certificate, and refused, in protobuf', async () => {
    const headers = { 'content-type': PROTOBUF, accept: PROTOBUF };
    const who = opened(WHO, (await ask(WHO, sealed(WHO, {}), { admin: true, headers })).bytes);
    expect(who).toMatchObject({ status: { userInfo: { extra: { 'authentication.kubernetes.io/credential-id': [expect.any(String)] } } } });
    const refused = opened(ACCESS, (await ask(ACCESS, sealed(ACCESS, {}), { admin: true, headers })).bytes);
    expect(refused).toMatchObject({
      kind: 'Status',
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'spec.resourceAttributes' }] },
    });
  });
});
