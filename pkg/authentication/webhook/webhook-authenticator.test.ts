import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHttpsService, sendJson, type HttpsService } from '../../../test/support/https-service.ts';
import { toBearerToken } from '../bearer-token.ts';
import { requestJson } from '../remote/request-json.ts';
import { refusalOf } from '../unauthorized.ts';
import { createWebhookAuthenticator } from './webhook-authenticator.ts';
import { readWebhookKubeconfig } from './webhook-kubeconfig.ts';

const OWN = ['this-server'];
const JANE = { username: 'jane', uid: '42', groups: ['dev'], extra: { 'example.com/a': ['b'] } };
const AUTHENTICATED = { status: { authenticated: true, user: JANE } };

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coxswain-webhook-'));
});
afterAll(() => rm(dir, { recursive: true }));

function open(answer: (review: unknown) => unknown) {
  const time = { now: 0 };
  const reviews: unknown[] = [];
  const authenticator = createWebhookAuthenticator({
    apiVersion: 'authentication.k8s.io/v1',
    post: async (review) => {
      reviews.push(review);
      return answer(review);
    },
    audiences: OWN,
    cacheMs: 120_000,
    clock: { now: () => time.now },
    onAnswer: () => undefined,
  });
  const ask = async (token: string, audiences: readonly string[] = OWN) =>
    authenticator.authenticateToken({ token: toBearerToken(Buffer.from(token)), audiences });
  const refusal = async (token: string) => ask(token).then((found) => found, refusalOf);
  return { ask, refusal, reviews, time };
}

describe('A webhook for tokens', () => {
  it('is sent the token and the audiences, and tells who it is', async () => {
    const { ask, reviews } = open(() => AUTHENTICATED);
    expect(await ask('tök')).toEqual({
      user: { name: 'jane', uid: '42', groups: ['dev'], extra: { 'example.com/a': ['b'] } },
      audiences: OWN,
    });
    expect(reviews).toEqual([
      {
        kind: 'TokenReview',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: {},
        spec: { token: 'tök', audiences: OWN },
        status: { user: {} },
      },
    ]);
  });

  it('is not asked again for a while, nor twice at once', async () => {
    const { ask, reviews, time } = open(() => AUTHENTICATED);
    const [first, second] = await Promise.all([ask('a'), ask('a')]);
    expect(second?.user).toBe(first?.user);
    time.now = 119_999;
    expect((await ask('a'))?.user).toBe(first?.user);
    expect(reviews).toHaveLength(1);
    time.now = 120_000;
    await ask('a');
    await ask('b');
    await ask('a', ['vault', 'this-server']);
    expect(reviews).toHaveLength(4);
  });

  it.each<[unknown, object | undefined]>([
    [{ status: { authenticated: false } }, undefined],
    [{ status: {} }, undefined],
    [{ status: { authenticated: false, error: 'it was revoked' } }, { message: 'it was revoked', isUndecided: false }],
    [{ status: { authenticated: true, user: JANE, audiences: ['other'] } }, undefined],
    [{ status: { authenticated: true, user: JANE, audiences: ['other', 'this-server'] } }, { audiences: OWN }],
    [
      { status: { authenticated: true, user: {} } },
      { isUndecided: true, message: 'the webhook cannot be asked: the answer names no user' },
    ],
    [{}, { isUndecided: true, message: 'the webhook cannot be asked: the answer is no TokenReview' }],
    [null, { isUndecided: true }],
  ])('may answer %j', async (answer, expected) => {
    const found = await open(() => answer).refusal('a');
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });

  it('that is down leaves tokens undecided, except those that are remembered', async () => {
    let isDown = false;
    const { ask, refusal, reviews } = open(() => {
      if (isDown) throw new Error('no answer within 10000 ms');
      return AUTHENTICATED;
    });
    await ask('a');
    isDown = true;
    expect(await ask('a')).toBeDefined();
    expect(await refusal('b')).toMatchObject({ isUndecided: true, message: 'the webhook cannot be asked: no answer within 10000 ms' });
    isDown = false;
    expect(await ask('b')).toBeDefined();
    expect(reviews).toHaveLength(3);
  });
});

describe('The kubeconfig of a webhook', () => {
  let service: HttpsService;
  beforeAll(async () => {
    service = await openHttpsService((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () =>
        sendJson(response, { got: JSON.parse(Buffer.concat(pieces).toString()) as unknown, as: request.headers.authorization }, 201),
      );
    });
  });
  afterAll(() => service.close());

  async function write(text: string): Promise<string> {
    const path = join(dir, 'webhook.yaml');
    await writeFile(path, text);
    return path;
  }

  it('says where it is and as whom it is asked', async () => {
    await writeFile(join(dir, 'ca.crt'), service.ca);
    await writeFile(join(dir, 'token'), 'secret\n');
    const path = await write(`
kind: Config
apiVersion: v1
clusters:
- name: hook
  cluster: { server: '${service.url}/hook', certificate-authority: ca.crt }
users:
- name: api
  user: { tokenFile: token }
contexts:
- name: other
  context: { cluster: nowhere }
- name: c
  context: { cluster: hook, user: api }
current-context: c
`);
    const { url, server } = await readWebhookKubeconfig(path);
    expect(await requestJson(server, { url, body: { a: 1 }, timeoutMs: 10_000 })).toEqual({ got: { a: 1 }, as: 'Bearer secret' });
  });

  it.each([
    ['', 'wrong in line 1: clusters: must name a cluster whose server is an https URL'],
    [
      'clusters:\n- name: a\n  cluster:\n    server: http://a\n',
      'wrong in line 1: clusters: must name a cluster whose server is an https URL',
    ],
    ['current-context: c\n', 'wrong in line 1: current-context: must name a cluster'],
    [
      'kind: Config\nclusters:\n- name: a\n  cluster:\n    insecure-skip-tls-verify: true\n',
      'wrong in line 5: clusters[0].cluster.insecure-skip-tls-verify: unknown field "insecure-skip-tls-verify"',
    ],
    ['clusters: 7', 'wrong in line 1: clusters: must be a list'],
    ['a: [', 'wrong in line 1'],
    ['clusters:\n- name: a\n  cluster: { server: https://a, certificate-authority: none.crt }\n', 'none.crt cannot be read'],
  ])('is checked: %j', async (text, message) => {
    await expect(readWebhookKubeconfig(await write(text))).rejects.toThrow(message);
  });
});
