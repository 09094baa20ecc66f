import { describe, expect, it } from '@jest/globals';
import type { ClientCertificate, Credentials } from './authenticator.ts';
import { createAuthenticator } from './create-authenticator.ts';
import { createTokenFileAuthenticator, parseTokenFile } from './token-file.ts';

const AUDIENCES = ['this-server'];
const table = parseTokenFile('good,alice,u1,"dev,ops"\nöß,umlaut,u2\nfake,system:anonymous,u3,system:unauthenticated\n', 'tokens.csv');
const tokens = [createTokenFileAuthenticator(() => table, AUDIENCES)];
const fingerprint256 = 'ab'.repeat(32);
const certificate: ClientCertificate = { commonName: 'bob', organizations: ['team', 'system:masters'], fingerprint256, validUntil: 0 };
const ANONYMOUS = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const ALICE = { name: 'alice', uid: 'u1', groups: ['dev', 'ops', 'system:authenticated'] };
const BOB = {
  name: 'bob',
  groups: ['team', 'system:masters', 'system:authenticated'],
  extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint256}`] },
};

interface Shown {
  readonly authorization?: string;
  readonly clientCertificate?: ClientCertificate;
  readonly secure?: boolean;
}
const credentials = ({ authorization, clientCertificate, secure = true }: Shown): Credentials => ({
  headers: { authorization },
  clientCertificate,
  secure,
  remoteAddress: '192.0.2.1',
});
const create = (enabled: boolean, from = tokens) =>
  createAuthenticator({ tokens: from, audiences: AUDIENCES, anonymous: () => ({ enabled }) });
const who = (shown: Shown, anonymous = true) => create(anonymous).authenticate(credentials(shown));
const UNAUTHORIZED = expect.objectContaining({ code: 401, message: 'Unauthorized' });

describe('Client certificate', () => {
  it('defines user by CN, groups by O and credential by fingerprint', () => {
    expect(who({ clientCertificate: certificate })).toEqual(BOB);
  });

  it('is rejected if not verified, even if anonymous requests are allowed', () => {
    const clientCertificate = { ...certificate, failure: 'CERT_HAS_EXPIRED' };
    expect(() => who({ clientCertificate })).toThrow(UNAUTHORIZED);
    expect(() => who({ clientCertificate }, false)).toThrow(UNAUTHORIZED);
  });

  it('without CN counts as no credentials', () => {
    const clientCertificate = { ...certificate, commonName: '' };
    expect(who({ clientCertificate })).toEqual(ANONYMOUS);
    expect(who({ clientCertificate }, false)).toBeUndefined();
    expect(who({ clientCertificate, authorization: 'Bearer good' })).toEqual(ALICE);
  });

  it('creates one user object per connection', () => {
    const authenticator = create(false, []);
    const shown = credentials({ clientCertificate: certificate });
    expect(authenticator.authenticate(shown)).toBe(authenticator.authenticate(shown));
  });
});

describe('Bearer token', () => {
  it('is that of the first header', () => {
    const sent = (...values: readonly string[]) => {
      const shown = credentials({ authorization: values.join(', ') });
      return create(true).authenticate({ ...shown, repeatedHeaders: new Map([['authorization', values]]) });
    };
    expect(sent('Bearer good', 'Bearer bad')).toEqual(ALICE);
    expect(() => sent('Bearer bad', 'Bearer good')).toThrow(UNAUTHORIZED);
  });

  it.each(['Bearer good', 'bearer good', 'BEARER good', '  Bearer good  ', 'Bearer good and more'])('%j is accepted', (authorization) => {
    expect(who({ authorization })).toEqual(ALICE);
  });

  it('is compared byte by byte with the UTF-8 of the file', () => {
    expect(who({ authorization: `Bearer ${Buffer.from('öß', 'utf8').toString('latin1')}` })).toMatchObject({ name: 'umlaut' });
  });

  it.each([
    'Bearer bad',
    'Bearer good,',
    'Bearer good, Bearer good',
    'Bearer GOOD',
    'Bearer goo',
    'Bearer goodd',
    `Bearer ${'x'.repeat(100_000)}`,
  ])('%.40j is rejected, even if anonymous requests are allowed', (authorization) => {
    expect(() => who({ authorization })).toThrow(UNAUTHORIZED);
    expect(() => who({ authorization }, false)).toThrow(UNAUTHORIZED);
  });

  it.each(['', ' ', 'Bearer', 'Bearer ', 'Bearer  good', 'Bearer\tgood', 'good', 'Basic Z29vZDpnb29k', 'Bearergood'])(
    '%j is none',
    (authorization) => {
      expect(who({ authorization })).toEqual(ANONYMOUS);
      expect(who({ authorization }, false)).toBeUndefined();
    },
  );

  it('is rejected without configured tokens', () => {
    const authenticator = create(true, []);
    expect(() => authenticator.authenticate(credentials({ authorization: 'Bearer good' }))).toThrow(UNAUTHORIZED);
  });

  it('does not authenticate a user named anonymous', () => {
    expect(who({ authorization: 'Bearer fake' })).toEqual({ ...ANONYMOUS, uid: 'u3' });
  });
});

describe('Several credentials', () => {
  it('are checked in the order certificate, token', () => {
    expect(who({ clientCertificate: certificate, authorization: 'Bearer good' })).toEqual(BOB);
    expect(who({ clientCertificate: certificate, authorization: 'Bearer bad' })).toEqual(BOB);
  });

  it('require one that is valid', () => {
    const clientCertificate = { ...certificate, failure: 'SELF_SIGNED_CERT_IN_CHAIN' };
    expect(who({ clientCertificate, authorization: 'Bearer good' })).toEqual(ALICE);
    const wrong = { clientCertificate, authorization: 'Bearer bad-secret' };
    expect(() => who(wrong)).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({
          message: '[the client certificate was not verified: SELF_SIGNED_CERT_IN_CHAIN, invalid bearer token]',
        }),
      }),
    );
  });

  it('are ignored on the insecure port', () => {
    const admin = { name: 'system:unsecured', groups: ['system:masters', 'system:authenticated'] };
    expect(who({ secure: false })).toEqual(admin);
    expect(who({ secure: false, authorization: 'Bearer bad' })).toEqual(admin);
  });
});

describe('No credentials', () => {
  it('are anonymous if allowed', () => {
    expect(who({})).toEqual(ANONYMOUS);
    expect(who({}, false)).toBeUndefined();
  });

  it('are anonymous only on the paths that may be', () => {
    const anonymous = () => ({ enabled: true, paths: new Set(['/healthz']) });
    const authenticator = createAuthenticator({ tokens, audiences: AUDIENCES, anonymous });
    const ask = (path: string) => authenticator.authenticate({ ...credentials({}), path });
    expect(ask('/healthz')).toEqual(ANONYMOUS);
    for (const path of ['/healthz/', '/healthz/ping', '/%68ealthz', '/', '']) expect(ask(path)).toBeUndefined();
  });
});
