/** Tokens of ServiceAccounts: JWTs with the claims of Kubernetes. */
import { SignJWT } from 'jose';
import type { VerificationKey } from './keys.ts';
import { serviceAccountUser } from './names.ts';

export interface NewToken {
  readonly namespace: string;
  readonly serviceAccount: TokenObject;
  /** The token ends with this object. */
  readonly boundTo: ({ readonly as: 'secret' | 'pod' | 'node' } & TokenObject) | undefined;
  readonly audiences: readonly string[];
  readonly nowMs: number;
  readonly expirationSeconds: number;
}

export interface TokenObject {
  readonly name: string;
  readonly uid: string;
}

export interface SignTokenOptions {
  readonly issuer: string;
  readonly key: VerificationKey;
  readonly newUid: () => string;
}

export function signToken({ issuer, key, newUid }: SignTokenOptions, token: NewToken): Promise<string> {
  const { namespace, serviceAccount, boundTo, audiences, nowMs, expirationSeconds } = token;
  const now = Math.floor(nowMs / 1000);
  const bound = boundTo === undefined ? {} : { [boundTo.as]: { name: boundTo.name, uid: boundTo.uid } };
  const { name, uid } = serviceAccount;
  return new SignJWT({
    aud: [...audiences],
    exp: now + expirationSeconds,
    iat: now,
    iss: issuer,
    jti: newUid(),
    'kubernetes.io': { namespace, ...bound, serviceaccount: { name, uid } },
    nbf: now,
    sub: serviceAccountUser({ namespace, name }),
  })
    .setProtectedHeader({ alg: key.algorithm, kid: key.id })
    .sign(key.key);
}
