import type { Validity } from '../jwt/validity.ts';

export interface TokenReference {
  readonly name: string;
  readonly uid: string;
}

export interface ServiceAccountClaims extends Validity {
  readonly aud: readonly string[];
  readonly jti: string | undefined;
  readonly namespace: string;
  readonly serviceAccount: TokenReference;
  readonly secret: TokenReference | undefined;
  readonly pod: TokenReference | undefined;
  readonly node: TokenReference | undefined;
}

type ClaimMembers = Readonly<Record<string, unknown>>;

/** The payload of a token whose signature is valid. Undefined if it lacks a claim. `own`: if it names no audiences. */
export function parseTokenClaims(payload: Uint8Array, own: readonly string[]): ServiceAccountClaims | undefined {
  const claims = membersOf(JSON.parse(Buffer.from(payload).toString('utf8')));
  const { aud, exp, nbf, iat, jti } = claims;
  const kubernetes = membersOf(claims['kubernetes.io']);
  const { namespace } = kubernetes;
  const serviceAccount = referenceOf(kubernetes['serviceaccount']);
  const times = [exp, nbf, iat].every((time) => time === undefined || typeof time === 'number');
  if (!times || typeof namespace !== 'string' || serviceAccount === undefined) return undefined;
  const audiences = typeof aud === 'string' ? [aud] : Array.isArray(aud) ? aud.filter((each) => typeof each === 'string') : [];
  return {
    aud: audiences.length === 0 ? own : audiences,
    exp: numberOf(exp),
    nbf: numberOf(nbf),
    iat: numberOf(iat),
    jti: typeof jti === 'string' && jti !== '' ? jti : undefined,
    namespace,
    serviceAccount,
    secret: referenceOf(kubernetes['secret']),
    pod: referenceOf(kubernetes['pod']),
    node: referenceOf(kubernetes['node']),
  };
}

const membersOf = (value: unknown): ClaimMembers => (typeof value === 'object' && value !== null ? (value as ClaimMembers) : {});
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function referenceOf(value: unknown): TokenReference | undefined {
  const { name, uid } = membersOf(value);
  return typeof name === 'string' && name !== '' ? { name, uid: typeof uid === 'string' ? uid : '' } : undefined;
}
