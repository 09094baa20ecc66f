import { createPublicKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, type JWTPayload } from 'jose';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { authenticateToken, toBearerToken } from '../bearer-token.ts';
import { createServiceAccountAuthenticator, type TokenObjectState } from './authenticator.ts';
import { generateSigningKey, parseServiceAccountKeys, type ServiceAccountKeys } from './keys.ts';
import { signToken, type NewToken } from './sign-token.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCES = ['api'];
const NOW = Date.UTC(2026, 0, 1);
const TOKEN: NewToken = {
  namespace: 'ns',
  serviceAccount: { name: 'bot', uid: 'u1' },
  boundTo: undefined,
  audiences: AUDIENCES,
  nowMs: NOW,
  expirationSeconds: 3600,
};
const ACCOUNT = { 'serviceaccounts ns/bot': { uid: 'u1' } };

let keys: ServiceAccountKeys;
let otherKeys: ServiceAccountKeys;
beforeAll(async () => {
  [keys, otherKeys] = await Promise.all([parse(), parse()]);
});
const parse = async () => parseServiceAccountKeys(await generateSigningKey());

type Objects = Record<string, TokenObjectState | 'unknown' | undefined>;

function open(objects: Objects = { ...ACCOUNT }, issuers = [ISSUER]) {
  const time = { now: NOW };
  const authenticator = createServiceAccountAuthenticator({
    issuers,
    keys: keys.verification,
    audiences: AUDIENCES,
    objects: {
      find: (resource, namespace, name) => {
        const found = objects[`${resource} ${namespace}/${name}`];
        if (found === 'unknown') throw new StatusError('ServiceUnavailable', 'not filled');
        return found;
      },
    },
    clock: { now: () => time.now },
  });
  const ask = async (token: string, audiences: readonly string[] = AUDIENCES) =>
    authenticator.authenticateToken({ token: toBearerToken(Buffer.from(token)), audiences });
  /** The reasons of a refusal. */
  const refusal = async (token: string, audiences: readonly string[] = AUDIENCES): Promise<string> =>
    ask(token, audiences).then(
      (found) => `found ${JSON.stringify(found)}`,
      (error: unknown) => (error instanceof StatusError && error.cause instanceof Error ? error.cause.message : String(error)),
    );
  return { authenticator, objects, time, ask, refusal };
}

const sign = (token: Partial<NewToken> = {}, from = keys, issuer = ISSUER) =>
  signToken({ issuer, key: from.signing, newUid: () => 'jti-1' }, { ...TOKEN, ...token });

describe('A token of a ServiceAccount', () => {
  it('is a user with the groups of its namespace and the id of the token', async () => {
    const { ask } = open();
    expect(await ask(await sign())).toEqual({
      user: {
        name: 'system:serviceaccount:ns:bot',
        uid: 'u1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
        extra: { 'authentication.kubernetes.io/credential-id': ['JTI=jti-1'] },
      },
      audiences: AUDIENCES,
    });
  });

  it('is verified once, and its user stays the same object', async () => {
    const { authenticator, ask } = open();
    const text = await sign();
    const first = await ask(text);
    const again = authenticator.authenticateToken({ token: toBearerToken(Buffer.from(text)), audiences: AUDIENCES });
    expect(again).not.toBeInstanceOf(Promise);
    expect(again instanceof Promise ? undefined : again?.user).toBe(first?.user);
  });

  it.each(['', 'x', 'a.b.c', 'a.b.c.d', `a.${Buffer.from('{"iss":1}').toString('base64url')}.c`, `${'x'.repeat(40_000)}.b.c`])(
    'is nothing else: %.20j',
    async (text) => {
      expect(await open().ask(text)).toBeUndefined();
    },
  );

  it('of another issuer is left to others', async () => {
    const { ask } = open();
    expect(await ask(await sign({}, keys, 'https://other.example'))).toBeUndefined();
    expect(await open({ ...ACCOUNT }, ['https://new.example', ISSUER]).ask(await sign())).toBeDefined();
  });

  it('is refused when it was signed by another key, or was changed', async () => {
    const { refusal } = open();
    expect(await refusal(await sign({}, otherKeys))).toBe('invalid signature, no keys found');
    const [header = '', payload = '', signature = ''] = (await sign()).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'system:serviceaccount:ns:admin' })).toString('base64url');
    for (const text of [`${header}.${changed}.${signature}`, `${header}.${payload}.`, `${header}.${payload}.${signature.slice(1)}`]) {
      expect(await refusal(text)).toBe('the signature of the service account token is invalid');
    }
  });

  it('is refused with any other algorithm than that of the key', async () => {
    const { refusal } = open();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { payload } = await claimsOf(await sign());
    const none = `${part({ alg: 'none', kid: keys.signing.id })}.${part(payload)}.`;
    const publicPem = createPublicKey(keys.signing.key).export({ type: 'spki', format: 'pem' });
    const hmac = await new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: keys.signing.id }).sign(Buffer.from(publicPem));
    const rs512 = await new SignJWT(payload).setProtectedHeader({ alg: 'RS512', kid: keys.signing.id }).sign(keys.signing.key);
    for (const text of [none, hmac, rs512]) expect(await refusal(text)).toBe('the signature of the service account token is invalid');
  });

  it('needs no key id', async () => {
    const { payload } = await claimsOf(await sign());
    const text = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256' }).sign(keys.signing.key);
    expect(await open().ask(text)).toBeDefined();
  });

  it('is valid from a minute before its time until a minute after', async () => {
    const { time, refusal, ask } = open();
    const text = await sign();
    for (const offset of [-60_000, 0, 3_660_000]) {
      time.now = NOW + offset;
      expect(await ask(text)).toBeDefined();
    }
    time.now = NOW - 60_001;
    expect(await refusal(text)).toBe('service account token is not valid yet');
    time.now = NOW + 3_660_001;
    expect(await refusal(text)).toBe('service account token has expired');
    expect(await refusal(text)).toBe('service account token has expired');
  });

  it('is for its audiences alone', async () => {
    const { refusal, ask } = open();
    const text = await sign({ audiences: ['vault', 'db'] });
    expect(await refusal(text)).toBe('token audiences ["vault" "db"] is invalid for the target audiences ["api"]');
    expect(await ask(text, ['x', 'db', 'vault'])).toMatchObject({ audiences: ['db', 'vault'] });
    // It is remembered, but not for everybody.
    expect(await refusal(text)).toMatch(/^token audiences/);
  });

  it('ends with its account', async () => {
    const { objects, time, refusal, ask } = open();
    const text = await sign();
    expect(await ask(text)).toBeDefined();
    objects['serviceaccounts ns/bot'] = { uid: 'u2' };
    expect(await refusal(text)).toBe('service account UID (u2) does not match claim (u1)');
    objects['serviceaccounts ns/bot'] = { uid: 'u1', deletedAt: NOW };
    expect(await ask(text)).toBeDefined();
    time.now = NOW + 60_001;
    expect(await refusal(text)).toBe('service account ns/bot has been deleted');
    objects['serviceaccounts ns/bot'] = undefined;
    expect(await refusal(text)).toBe('serviceaccounts "bot" not found');
  });

  it.each([
    ['secret', 'secrets ns/x', 'secret UID (u3) does not match service account secret ref claim (u2)'],
    ['pod', 'pods ns/x', 'Pod UID (u3) does not match service account pod ref claim (u2)'],
    ['node', 'nodes /x', 'node UID (u3) does not match service account node ref claim (u2)'],
  ] as const)('ends with the %s that it is bound to', async (as, place, mismatch) => {
    const { objects, time, refusal, ask } = open({ ...ACCOUNT, [place]: { uid: 'u2' } });
    const text = await sign({ boundTo: { as, name: 'x', uid: 'u2' } });
    expect(await ask(text)).toBeDefined();
    objects[place] = { uid: 'u3' };
    expect(await refusal(text)).toBe(mismatch);
    objects[place] = { uid: 'u2', deletedAt: NOW };
    time.now = NOW + 60_001;
    expect(await refusal(text)).toBe('service account token has been invalidated');
    objects[place] = undefined;
    expect(await refusal(text)).toBe('service account token has been invalidated');
  });

  it('tells which pod and node it belongs to', async () => {
    const { payload } = await claimsOf(await sign({ boundTo: { as: 'pod', name: 'p', uid: 'u2' } }));
    const kubernetes = { ...(payload['kubernetes.io'] as object), node: { name: 'n', uid: 'u3' } };
    const text = await new SignJWT({ ...payload, 'kubernetes.io': kubernetes })
      .setProtectedHeader({ alg: 'RS256', kid: keys.signing.id })
      .sign(keys.signing.key);
    // The node may be gone: the token is bound to the pod.
    expect((await open({ ...ACCOUNT, 'pods ns/p': { uid: 'u2' } }).ask(text))?.user.extra).toEqual({
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['u2'],
      'authentication.kubernetes.io/credential-id': ['JTI=jti-1'],
      'authentication.kubernetes.io/node-name': ['n'],
      'authentication.kubernetes.io/node-uid': ['u3'],
    });
  });

  it('is not judged while its account is not known', async () => {
    const { refusal } = open({ 'serviceaccounts ns/bot': 'unknown' });
    expect(await refusal(await sign())).toMatch(/not filled/);
  });

  it.each([{}, { 'kubernetes.io': null }, { 'kubernetes.io': { namespace: 'ns' } }, { exp: 'soon' }])(
    'with other claims is refused: %j',
    async (claims) => {
      const text = await new SignJWT({ iss: ISSUER, ...claims } as JWTPayload)
        .setProtectedHeader({ alg: 'RS256', kid: keys.signing.id })
        .sign(keys.signing.key);
      expect(await open().refusal(text)).toBe('service account token has other claims than expected');
    },
  );

  it('that is unknown is reported as Kubernetes does', async () => {
    const { authenticator } = open();
    const ask = async (text: string) => authenticateToken(authenticator, { token: toBearerToken(Buffer.from(text)), audiences: AUDIENCES });
    await expect(ask('x')).rejects.toMatchObject({ reason: 'Unauthorized', cause: { message: 'invalid bearer token' } });
    await expect(ask(await sign({}, otherKeys))).rejects.toMatchObject({
      cause: { message: '[invalid bearer token, invalid signature, no keys found]' },
    });
  });
});

async function claimsOf(token: string): Promise<{ payload: JWTPayload }> {
  const [, payload = ''] = token.split('.');
  return { payload: JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload };
}
