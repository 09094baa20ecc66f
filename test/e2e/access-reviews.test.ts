/**
 * Who am I, and what may I do: the reviews that clients ask before they try. On one store alone: nothing of a review
 * reaches it. What authorizers that say no make of it, and who sent which field, is in `pkg/server/reviews`.
 */
import { Agent, request as httpsRequest } from 'node:https';
import { buffer as readBuffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse as parseYaml, stringify as toYaml } from 'yaml';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { StatusShape } from '../../pkg/apis/meta/v1/shapes.gen.ts';
import { createReviews } from '../../pkg/apis/reviews.gen.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { parseEnvelope, writeEnvelope } from '../../pkg/schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../pkg/schema/protobuf/message-codec.ts';
import { toAnswer, type Answer } from '../support/api.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { deadline } from '../support/wait.ts';

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const ACCESS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const RULES = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const CREATE = { verb: 'create', group: 'batch', resource: 'cronjobs', namespace: 'default' };

const EVERYTHING = {
  resourceRules: expect.arrayContaining([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]) as unknown as object[],
  nonResourceRules: expect.arrayContaining([
    { verbs: ['*'], nonResourceURLs: ['*'] },
    { verbs: ['get', 'head'], nonResourceURLs: expect.arrayContaining(['/healthz', '/readyz/*']) },
  ]) as unknown as object[],
  incomplete: false,
};
const ALICE = { username: 'alice', uid: 'alice-uid', groups: ['dev', 'ops', 'system:masters', 'system:authenticated'] };

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
  return writeEnvelope(definition, message.encode(json.decodeBody(Buffer.from(JSON.stringify(object))).object));
};
const opened = (path: string, bytes: Buffer) => {
  const { kind, apiVersion, raw } = parseEnvelope(bytes);
  return { kind, apiVersion, ...(kind === 'Status' ? createMessageCodec(StatusShape) : typeOf(path).message).decode(raw) };
};

/** [path, what is asked, the answer without metadata] */
const ASKED = [
  [WHO, {}, { status: { userInfo: ALICE } }],
  [ACCESS, { spec: { resourceAttributes: CREATE } }, { spec: { resourceAttributes: CREATE }, status: { allowed: true } }],
  [RULES, { spec: { namespace: 'default' } }, { spec: {}, status: EVERYTHING }],
] as const;

const USERS = [
  { token: 'alices-token', user: 'alice', groups: ['dev', 'ops', 'system:masters'] },
  { token: 'bobs-token', user: 'bob' },
];
const ALICES = { authorization: 'Bearer alices-token' };

let server: SecureServer;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  server = await startSecureServer([], { tokens: USERS });
}, 60_000);
afterAll(async () => {
  agent.destroy();
  await server.stop();
}, 30_000);

interface Sent {
  readonly method?: string;
  readonly body?: Buffer | string | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** With the admin's certificate, on a connection of its own. */
  readonly admin?: boolean;
}

/** As JSON when nothing else is said. */
async function ask(path: string, { method = 'POST', body = '', headers = ALICES, admin = false }: Sent = {}) {
  const { ca, cert, key, url } = server;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const answered = new Promise<{ readonly answer: Answer; readonly bytes: Buffer }>((resolve, reject) => {
    const request = httpsRequest(
      url + path,
      {
        method,
        ca,
        ...(admin ? { cert, key, agent: false } : { agent }),
        headers: { 'content-type': JSON_TYPE, 'content-length': bytes.byteLength, ...headers },
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
  return deadline(answered, 10_000, `the answer to ${method} ${path}`);
}
const answerTo = async (path: string, sent: Sent = {}) => (await ask(path, sent)).answer;

describe.each(ASKED)('A review at %s', (path, question, answer) => {
  const { kind, apiVersion } = typeOf(path).definition;

  it('is answered in JSON, YAML and protobuf, whichever it was sent in', async () => {
    const expected = { kind, apiVersion, ...answer };
    const sent = { [JSON_TYPE]: JSON.stringify(question), [YAML]: toYaml(question), [PROTOBUF]: sealed(path, question) };
    for (const [type, body] of Object.entries(sent)) {
      for (const [accept, read] of [
        [JSON_TYPE, (bytes: Buffer): unknown => JSON.parse(bytes.toString())],
        [YAML, (bytes: Buffer): unknown => parseYaml(bytes.toString())],
        [PROTOBUF, (bytes: Buffer) => opened(path, bytes)],
      ] as const) {
        const got = await ask(path, { body, headers: { ...ALICES, 'content-type': type, accept } });
        expect([got.answer.code, got.answer.headers['content-type'], read(got.bytes)]).toEqual([
          201,
          accept,
          expect.objectContaining(expected),
        ]);
      }
    }
  });

  it('may not be asked without credentials', async () => {
    expect((await answerTo(path, { body: question, headers: {} })).status()).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: expect.stringMatching(/^selfsubject\w*reviews\.auth\w+\.k8s\.io is forbidden: User "system:anonymous" cannot create/),
    });
  });
});

/** What is the same for every review, shown with one. */
describe('A review', () => {
  const question = { spec: { resourceAttributes: CREATE } };

  it('is stored nowhere: it can be created, and nothing else', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const refused = await answerTo(ACCESS, { method, body: '{}' });
      expect([method, refused.code, refused.headers.allow, refused.status().reason]).toEqual([method, 405, 'POST', 'MethodNotAllowed']);
    }
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      expect([method, (await answerTo(`${ACCESS}/a`, { method, body: '{}' })).status().code]).toEqual([method, 404]);
    }
  });

  it('has no table; its metadata can be had alone', async () => {
    const as = (form: string, others = '') =>
      answerTo(ACCESS, { body: question, headers: { ...ALICES, accept: `application/json;as=${form};v=v1;g=meta.k8s.io${others}` } });
    expect((await as('Table')).status()).toMatchObject({ code: 406, reason: 'NotAcceptable' });
    expect((await as('Table', ',application/json')).code).toBe(201);
    expect((await as('PartialObjectMetadataList')).status().message).toMatch(/is not a list/);
    const alone = await as('PartialObjectMetadata');
    expect([alone.code, Object.keys(alone.json() as object)]).toEqual([201, ['kind', 'apiVersion', 'metadata']]);
  });

  it('is held to fieldValidation and dryRun like every object', async () => {
    const odd = { ...question, odd: 1 };
    expect((await answerTo(ACCESS, { body: odd })).headers.warning).toBe('299 - "unknown field \\"odd\\""');
    expect((await answerTo(`${ACCESS}?fieldValidation=Ignore`, { body: odd })).headers.warning).toBeUndefined();
    expect((await answerTo(`${ACCESS}?fieldValidation=Strict`, { body: odd })).status()).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect((await answerTo(`${ACCESS}?dryRun=All`, { body: question })).json()).toMatchObject({ status: { allowed: true } });
    expect((await answerTo(`${ACCESS}?dryRun=Some`, { body: question })).status()).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  it.each([
    ['no body', '', JSON_TYPE, 400],
    ['half an object', '{"spec":', JSON_TYPE, 400],
    ['another kind', '{"kind":"CronJob","apiVersion":"batch/v1"}', JSON_TYPE, 400],
    ['another version', '{"apiVersion":"authorization.k8s.io/v1beta1"}', JSON_TYPE, 400],
    ['a wrong type', '{"metadata":[]}', JSON_TYPE, 400],
    ['no protobuf', 'k8s', PROTOBUF, 400],
    ['a message that is cut off', sealed(ACCESS, question).subarray(0, -5), PROTOBUF, 400],
    ['a message of another kind', sealed(RULES, {}), PROTOBUF, 400],
    ['text', 'who am I', 'text/plain', 415],
    ['no question', '{}', JSON_TYPE, 422],
  ])('refuses %s', async (_, body, type, code) => {
    expect((await answerTo(ACCESS, { body, headers: { ...ALICES, 'content-type': type } })).status().code).toBe(code);
  });

  it('is refused in protobuf, with causes, where that is asked for', async () => {
    const { bytes } = await ask(ACCESS, { body: sealed(ACCESS, {}), headers: { ...ALICES, 'content-type': PROTOBUF, accept: PROTOBUF } });
    expect(opened(ACCESS, bytes)).toMatchObject({
      kind: 'Status',
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'spec.resourceAttributes' }] },
    });
  });

  it('is found by discovery and described, with one verb and no hash of what is stored', async () => {
    const read = async (path: string) => (await answerTo(path, { method: 'GET' })).json();
    const resourcesOf = async (groupVersion: string) => ((await read(`/apis/${groupVersion}`)) as { resources: unknown }).resources;
    const named = (name: string, kind: string) => ({ name: `${name}s`, singularName: name, namespaced: false, kind, verbs: ['create'] });
    expect(await resourcesOf('authentication.k8s.io/v1')).toEqual([
      named('selfsubjectreview', 'SelfSubjectReview'),
      named('tokenreview', 'TokenReview'),
    ]);
    expect(await resourcesOf('authorization.k8s.io/v1')).toEqual([
      { ...named('localsubjectaccessreview', 'LocalSubjectAccessReview'), namespaced: true },
      named('selfsubjectaccessreview', 'SelfSubjectAccessReview'),
      named('selfsubjectrulesreview', 'SelfSubjectRulesReview'),
      named('subjectaccessreview', 'SubjectAccessReview'),
    ]);
    const { paths } = (await read('/openapi/v3/apis/authorization.k8s.io/v1')) as { paths: Record<string, object> };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/apis/authorization.k8s.io/v1/', ACCESS, RULES]));
    expect(Object.keys(paths[ACCESS] ?? {})).toEqual(['parameters', 'post']);
  });
});

describe('Whoever asks', () => {
  const whoIs = async (sent: Sent) =>
    ((await answerTo(WHO, { body: {}, ...sent })).json() as { status: { userInfo: unknown } }).status.userInfo;

  it('with a token is named with uid and groups', async () => {
    expect(await whoIs({})).toEqual(ALICE);
    expect(await whoIs({ headers: { authorization: 'Bearer bobs-token' } })).toEqual({
      username: 'bob',
      uid: 'bob-uid',
      groups: ['system:authenticated'],
    });
  });

  it('with a certificate is named with what the certificate says, and which one it was', async () => {
    expect(await whoIs({ headers: {}, admin: true })).toEqual({
      username: 'coxswain-admin',
      groups: ['system:masters', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
    });
  });

  it('may do what the bootstrap roles say', async () => {
    const allowed = async (spec: object) => {
      const answer = await answerTo(ACCESS, { body: { spec }, headers: { authorization: 'Bearer bobs-token' } });
      return (answer.json() as { status: { allowed: boolean } }).status.allowed;
    };
    expect(await allowed({ nonResourceAttributes: { path: '/apis', verb: 'get' } })).toBe(true);
    expect(await allowed({ nonResourceAttributes: { path: '/metrics', verb: 'get' } })).toBe(false);
    expect(await allowed({ resourceAttributes: { verb: '*', group: '*', resource: '*' } })).toBe(false);
  });
});
