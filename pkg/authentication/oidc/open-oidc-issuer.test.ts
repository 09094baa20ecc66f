import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { openOidcService, type OidcIssuer } from '../../../test/support/oidc-issuer.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import { toBearerToken } from '../bearer-token.ts';
import { refusalOf } from '../unauthorized.ts';
import { type JwtIssuer, SIGNING_ALGORITHMS } from './issuer.ts';
import { openOidcIssuer } from './open-oidc-issuer.ts';

const OWN = ['this-server'];
let service: OidcIssuer;
beforeAll(async () => {
  service = await openOidcService();
});
afterAll(() => service.close());
beforeEach(() => service.resume());

function open(configured: Partial<JwtIssuer> = {}) {
  let skipped = 0;
  const clock: Clock = { now: () => Date.now() + skipped, sleep: () => Promise.resolve() };
  const fetches: boolean[] = [];
  const issuer: JwtIssuer = {
    url: service.url,
    certificateAuthority: service.ca,
    audiences: ['client'],
    algorithms: SIGNING_ALGORITHMS,
    requiredClaims: [],
    username: { claim: 'sub', prefix: '' },
    ...configured,
  };
  const authenticator = openOidcIssuer(issuer, {
    audiences: OWN,
    clock,
    log: silentLog,
    onFetch: (_, isSuccess) => fetches.push(isSuccess),
  });
  const ask = async (token: string, audiences: readonly string[] = OWN) =>
    authenticator.authenticateToken({ token: toBearerToken(Buffer.from(token)), audiences });
  const refusal = async (token: string): Promise<string> =>
    ask(token).then(
      (found) => `found ${JSON.stringify(found)}`,
      (error: unknown) => refusalOf(error).message,
    );
  const skip = (ms: number) => {
    skipped += ms;
  };
  return { ask, refusal, skip, fetches, authenticator };
}

type SentClaims = Readonly<Record<string, unknown>>;
const sign = (claims: SentClaims = {}) => service.sign({ sub: 'jane', aud: 'client', ...claims });
const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('A token of an OIDC issuer', () => {
  it('is a user as its claims are mapped', async () => {
    const { ask } = open({
      username: { claim: 'email', prefix: 'oidc:' },
      groups: { claim: 'roles', prefix: 'oidc:' },
      uid: 'oid',
      requiredClaims: [{ claim: 'hd', value: 'example.com' }],
    });
    const claims = { email: 'jane@example.com', email_verified: true, roles: ['dev', 'ops'], oid: '42', hd: 'example.com' };
    expect(await ask(await sign(claims))).toEqual({
      user: { name: 'oidc:jane@example.com', uid: '42', groups: ['oidc:dev', 'oidc:ops'] },
      audiences: OWN,
    });
    expect((await ask(await sign({ ...claims, roles: 'dev' })))?.user.groups).toEqual(['oidc:dev']);
    expect((await ask(await sign({ ...claims, roles: undefined })))?.user.groups).toEqual([]);
  });

  it('is verified once', async () => {
    const { ask, authenticator } = open();
    const token = await sign();
    const found = await ask(token);
    const asked = service.asked();
    const again = authenticator.authenticateToken({ token: toBearerToken(Buffer.from(token)), audiences: OWN });
    expect(again instanceof Promise ? 'a promise' : again?.user).toBe(found?.user);
    expect(service.asked()).toBe(asked);
  });

  it('is left to others when it is of another issuer, or asked for another audience', async () => {
    const { ask } = open();
    expect(await ask(await sign({ iss: 'https://other.example' }))).toBeUndefined();
    expect(await ask(await sign(), ['vault'])).toBeUndefined();
    expect(await ask('no JWT')).toBeUndefined();
  });

  it.each<[SentClaims, Partial<JwtIssuer>, RegExp]>([
    [{ aud: 'other' }, {}, /^oidc: verify token: expected audience in \["client"\] got \["other"\]$/],
    [{ aud: ['other', 'third'] }, {}, /expected audience/],
    [{ aud: undefined }, {}, /expected audience/],
    [{ exp: 1 }, {}, /^oidc: verify token: token is expired$/],
    [{ exp: undefined }, {}, /it has no expiry/],
    [{ nbf: 4_000_000_000 }, {}, /it is not valid yet/],
    [{ sub: undefined }, {}, /^oidc: parse username claims "sub": claim not present$/],
    [{ sub: 7 }, {}, /parse username claims "sub": the claim is no string/],
    [{ email: 'a@b', email_verified: false }, { username: { claim: 'email', prefix: '' } }, /^oidc: email not verified$/],
    [{ roles: [1] }, { groups: { claim: 'roles', prefix: '' } }, /parse groups claim "roles"/],
    [{}, { uid: 'oid' }, /parse uid claim "oid": claim not present/],
    [{}, { requiredClaims: [{ claim: 'hd', value: 'x' }] }, /^oidc: required claim hd not present in ID token$/],
    [{ hd: 'y' }, { requiredClaims: [{ claim: 'hd', value: 'x' }] }, /required claim hd value does not match. Got = y, want = x$/],
  ])('is refused with claims %j for %j', async (claims, configured, message) => {
    expect(await open(configured).refusal(await sign(claims))).toMatch(message);
  });

  it('is refused when it is not signed by a key of the issuer', async () => {
    const { refusal } = open();
    const [header = '', payload = ''] = (await sign()).split('.');
    expect(await refusal(`${header}.${payload}.AAAA`)).toMatch(/^oidc: verify token: signature verification failed/);
    const claims = { iss: service.url, sub: 'jane', aud: 'client', exp: soon(60) };
    const hmac = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(service.ca));
    expect(await refusal(hmac)).toMatch(/"alg"/);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    expect(await refusal(unsigned)).toMatch(/"alg"/);
    const { refusal: rsaOnly } = open({ algorithms: ['RS256'] });
    expect(await rsaOnly(await sign())).toMatch(/"alg"/);
  });

  it('ends when it expires', async () => {
    const { ask, refusal, skip } = open();
    const token = await sign({ exp: soon(60) });
    expect(await ask(token)).toBeDefined();
    skip(60_000);
    expect(await refusal(token)).toBe('oidc: verify token: token is expired');
    expect(await refusal(token)).toBe('oidc: verify token: token is expired');
  });
});

describe('The keys of an OIDC issuer', () => {
  it('are fetched again when a token names another one, but not for every such token', async () => {
    const { ask, refusal, skip, fetches } = open();
    expect(await ask(await sign())).toBeDefined();
    await service.rotate();
    const token = await sign();
    expect(await refusal(token)).toMatch(/no applicable key found/);
    expect(fetches).toEqual([true]);
    skip(10_000);
    expect(await ask(token)).toBeDefined();
    skip(10_000);
    const unknown = await Promise.all(['a', 'b', 'c'].map(async (kid) => service.sign({ sub: 'jane', aud: 'client' }, { kid })));
    await Promise.all(unknown.map(refusal));
    expect(fetches).toEqual([true, true, true]);
  });

  it('stay in use while the issuer is down', async () => {
    const { ask, refusal, skip, fetches } = open();
    const [first, second, unknown] = [await sign(), await sign({ jti: '2' }), await service.sign({ aud: 'client' }, { kid: 'x' })];
    expect(await ask(first)).toBeDefined();
    await service.pause();
    skip(10_000);
    expect(await ask(second)).toBeDefined();
    expect(await refusal(unknown)).toMatch(/no applicable key found/);
    expect(fetches).toEqual([true, false]);
  });

  it('may be unknown: then tokens are refused, but may be valid later', async () => {
    await service.pause();
    const { ask, skip, fetches } = open();
    const token = await sign();
    const undecided = async () =>
      ask(token).then(
        () => undefined,
        (error: unknown) => error instanceof StatusError && refusalOf(error),
      );
    expect(await undecided()).toMatchObject({
      isUndecided: true,
      message: expect.stringMatching(/^oidc: the keys of the issuer are not available: .*ECONNREFUSED/),
    });
    expect(await undecided()).toMatchObject({ isUndecided: true });
    await service.resume();
    expect(fetches).toEqual([false]);
    skip(10_000);
    expect(await ask(token)).toBeDefined();
  });

  it.each<[{ readonly certificateAuthority?: undefined; readonly discoveryUrl?: string }, RegExp]>([
    [{ certificateAuthority: undefined }, /self-signed|unable to verify/],
    [{ discoveryUrl: 'https://localhost:1/x' }, /localhost:1\/x: .*ECONNREFUSED/],
    [{ discoveryUrl: 'nowhere' }, /the answer has the code 404/],
    [{ discoveryUrl: 'keys' }, /it is about another issuer/],
    [{ discoveryUrl: 'moved' }, /the answer has the code 302/],
  ])('are not taken from elsewhere: %j', async (configured, message) => {
    const discoveryUrl =
      configured.discoveryUrl?.startsWith('https:') === false ? `${service.url}/${configured.discoveryUrl}` : configured.discoveryUrl;
    expect(await open({ ...configured, ...(discoveryUrl === undefined ? {} : { discoveryUrl }) }).refusal(await sign())).toMatch(message);
  });
});
