/** Credentials of every kind, valid and not, for a server whose keys and CA the test has. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { type CertifiedKey, createAuthority, DAY_MS, issueCertificate } from '../../pkg/certificates/issue.ts';

export interface Credential {
  readonly name: string;
  /** Values of Authorization headers. */
  readonly authorization?: readonly string[];
  readonly certificate?: CertifiedKey;
}

export interface CredentialOptions {
  /** Signs client certificates that the server trusts. */
  readonly clientAuthority: CertifiedKey;
  /** PEM: signs tokens of ServiceAccounts. */
  readonly signingKey: string;
  readonly issuer: string;
  /** That exists, and that is deleted. */
  readonly account: AccountReference;
  readonly deletedAccount: AccountReference;
  /** In the token file. */
  readonly token: string;
  /** Was in the token file. */
  readonly revokedToken: string;
  readonly now: number;
}

export interface AccountReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const YEAR_DAYS = 365;

const base64 = (value: object | string | Buffer): string =>
  (Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))).toString('base64url');

const rs256 = (claims: object, key: string, header: object = { alg: 'RS256' }): string => {
  const text = `${base64(header)}.${base64(claims)}`;
  return `${text}.${base64(sign('sha256', Buffer.from(text), key))}`;
};

/** Valid ones first. */
export async function createCredentials(
  options: CredentialOptions,
): Promise<{ readonly valid: readonly Credential[]; readonly invalid: readonly Credential[] }> {
  const { now, token, revokedToken } = options;
  return {
    valid: [
      { name: 'a token of the file', authorization: [`Bearer ${token}`] },
      { name: 'a token with the scheme in lower case', authorization: [`bearer ${token}`] },
      { name: 'a token of a ServiceAccount', authorization: [`Bearer ${accountToken(options)}`] },
      { name: 'a client certificate', certificate: await client(options.clientAuthority, now) },
    ],
    invalid: [
      { name: 'a revoked token', authorization: [`Bearer ${revokedToken}`] },
      { name: 'an unknown token', authorization: ['Bearer nobody'] },
      { name: 'a token that begins like a valid one', authorization: [`Bearer ${token}x`] },
      { name: 'a token in upper case', authorization: [`Bearer ${token.toUpperCase()}`] },
      ...tokenForgeries(options),
      { name: 'an expired client certificate', certificate: await client(options.clientAuthority, now - 2 * YEAR_DAYS * DAY_MS) },
      { name: 'a client certificate of tomorrow', certificate: await client(options.clientAuthority, now + DAY_MS) },
      { name: 'a client certificate of another CA', certificate: await client(await createAuthority({ commonName: 'foreign', now }), now) },
    ],
  };
}

/** What Kubernetes does not take for credentials, so that the sender is anonymous. */
export const NO_CREDENTIALS: readonly Credential[] = [
  { name: 'nothing' },
  { name: 'basic authentication', authorization: [`Basic ${Buffer.from('admin:admin').toString('base64')}`] },
  { name: 'an empty header', authorization: [''] },
  { name: 'a scheme alone', authorization: ['Bearer'] },
  { name: 'a scheme and a space', authorization: ['Bearer '] },
  { name: 'a token without a scheme', authorization: ['a-token-of-the-file'] },
  { name: 'another scheme', authorization: ['Digest username="admin"'] },
  { name: 'garbage', authorization: ['%&/()=?\u00e9\u00ff'] },
];

/** Two headers, of which the first counts. The second of a pair is not valid at all. */
export const twice = (token: string): readonly [Credential, Credential] => [
  { name: 'a token, and one that is not valid', authorization: [`Bearer ${token}`, 'Bearer nobody'] },
  { name: 'a token that is not valid, and one', authorization: ['Bearer nobody', `Bearer ${token}`] },
];

const client = (authority: CertifiedKey, now: number) =>
  issueCertificate(authority, { commonName: 'carla', organizations: ['lookers'], usage: 'client', now });

function claimsOf({ issuer, now, account }: CredentialOptions, { namespace, name, uid }: AccountReference = account) {
  const seconds = Math.floor(now / 1000);
  return {
    iss: issuer,
    aud: [issuer],
    iat: seconds - 60,
    nbf: seconds - 60,
    exp: seconds + 3600,
    sub: `system:serviceaccount:${namespace}:${name}`,
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
  };
}

const accountToken = (options: CredentialOptions): string => rs256(claimsOf(options), options.signingKey);

function tokenForgeries(options: CredentialOptions): readonly Credential[] {
  const { signingKey, now, account, deletedAccount } = options;
  const claims = claimsOf(options);
  const seconds = Math.floor(now / 1000);
  const valid = rs256(claims, signingKey);
  const [header = '', payload = '', signature = ''] = valid.split('.');
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const other = { ...claims, sub: 'system:serviceaccount:kube-system:admin' };
  const forgeries: Readonly<Record<string, string>> = {
    'an expired account token': rs256({ ...claims, exp: seconds - 60 }, signingKey),
    'an account token of tomorrow': rs256({ ...claims, nbf: seconds + 86_400 }, signingKey),
    'an account token for somebody else': rs256({ ...claims, aud: ['vault'] }, signingKey),
    'an account token of another issuer': rs256({ ...claims, iss: 'https://issuer.example' }, signingKey),
    'an account token of another key': rs256(claims, stranger),
    'an account token of a deleted account': rs256(claimsOf(options, deletedAccount), signingKey),
    'an account token of an earlier account': rs256(
      claimsOf(options, { ...account, uid: '00000000-0000-4000-8000-000000000000' }),
      signingKey,
    ),
    'an account token with another payload': `${header}.${base64(other)}.${signature}`,
    'an account token with another header': `${base64({ alg: 'RS512' })}.${payload}.${signature}`,
    'an account token with a changed signature': `${header}.${payload}.${changed(signature)}`,
    'an account token without a signature': `${header}.${payload}.`,
    'an account token with the algorithm none': `${base64({ alg: 'none' })}.${payload}.`,
    // Whoever takes the public key for a secret believes it.
    'an account token signed by a secret': hs256(payload),
    'an account token in two parts': `${header}.${payload}`,
    'an account token whose payload is no JSON': rs256('nothing' as unknown as object, signingKey),
  };
  return Object.entries(forgeries).map(([name, token]) => ({ name, authorization: [`Bearer ${token}`] }));
}

const changed = (signature: string): string => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;

function hs256(payload: string): string {
  const text = `${base64({ alg: 'HS256' })}.${payload}`;
  return `${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`;
}
