/** Puts authentication together: who may come with which credentials, and tokens of ServiceAccounts. */
import type { TokenService } from '../../pkg/apis/review.ts';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import type { Authenticator } from '../../pkg/authentication/authenticator.ts';
import { createAuthenticator, unionTokens } from '../../pkg/authentication/create-authenticator.ts';
import { createServiceAccountAuthenticator } from '../../pkg/authentication/service-accounts/authenticator.ts';
import { generateSigningKey, parseServiceAccountKeys } from '../../pkg/authentication/service-accounts/keys.ts';
import { createOpenIdMetadata, type OpenIdMetadata } from '../../pkg/authentication/service-accounts/openid-metadata.ts';
import { signToken } from '../../pkg/authentication/service-accounts/sign-token.ts';
import { createTokenFileAuthenticator } from '../../pkg/authentication/token-file.ts';
import { reviewToken } from '../../pkg/authentication/review-token.ts';
import { openSetting } from '../../pkg/registry/setting.ts';
import { findTokenObject, uidOfTokenObject } from '../../pkg/registry/token-objects.ts';
import type { Registry } from '../../pkg/registry/registry.ts';
import type { Backend } from '../../pkg/storage/backend.ts';
import type { AuthenticationFiles } from './authentication-files.ts';
import type { ServeOptions } from './flags.ts';

export interface AuthenticationOptions {
  readonly options: ServeOptions;
  readonly files: AuthenticationFiles;
  /** PEM. */
  readonly signingKey: string;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly newUid: () => string;
  /** Host and port under which clients reach the server. */
  readonly externalAddress: string;
}

export interface Authentication {
  readonly authenticator: Authenticator;
  readonly tokens: TokenService;
  /** Undefined: the issuer is no https URL. */
  readonly openIdMetadata: OpenIdMetadata | undefined;
}

export function createAuthentication({ options, files, registry, clock, newUid, ...given }: AuthenticationOptions): Authentication {
  const { serviceAccountIssuer: issuers, apiAudiences: audiences = issuers, serviceAccountJwksUri, anonymousAuth } = options;
  const [issuer = ''] = issuers;
  const keys = parseServiceAccountKeys(given.signingKey, files.verificationKeys);
  const { tokens: tokenFile } = files;
  const tokenAuthenticators = [
    ...(tokenFile === undefined ? [] : [createTokenFileAuthenticator(() => tokenFile.current, audiences)]),
    createServiceAccountAuthenticator({
      issuers,
      keys: keys.verification,
      audiences,
      objects: { find: (resource, namespace, name) => findTokenObject(registry, resource, { namespace, name }) },
      clock,
    }),
  ];
  const anonymous = () => ({ enabled: anonymousAuth });
  return {
    authenticator: createAuthenticator({ tokens: tokenAuthenticators, audiences, anonymous }),
    tokens: {
      audiences,
      review: reviewToken({ tokens: unionTokens(tokenAuthenticators), audiences, anonymous }),
      uidOf: (resource, name, signal) => uidOfTokenObject(registry, resource, name, signal),
      maxExpirationSeconds: options.serviceAccountMaxTokenExpiration,
      issue: (token) => signToken({ issuer, key: keys.signing, newUid }, token),
    },
    openIdMetadata: createOpenIdMetadata({
      issuer,
      jwksUri: serviceAccountJwksUri ?? `https://${given.externalAddress}/openid/v1/jwks`,
      keys: keys.verification,
    }),
  };
}

/** The key of the file, else that of the store, which the first server makes. Throws StorageError. */
export async function openSigningKey(
  { signingKey }: Pick<AuthenticationFiles, 'signingKey'>,
  store: { readonly backend: Pick<Backend, 'get' | 'commit'>; readonly random: (size: number) => Buffer },
): Promise<string> {
  if (signingKey !== undefined) return signingKey;
  const key = await openSetting({ ...store, name: 'service-account-signing-key' }, 'privateKey', generateSigningKey);
  if (key === undefined) throw new Error('the key that signs tokens of ServiceAccounts cannot be read from the store');
  return key;
}
