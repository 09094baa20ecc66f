/** Puts authentication together: who may come with which credentials, and tokens of ServiceAccounts. */
import type { TokenService } from '../../pkg/apis/review.ts';
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import { ADMIN_GROUP, type Authenticator, type UserInfo } from '../../pkg/authentication/authenticator.ts';
import { createAuthenticator, unionTokens } from '../../pkg/authentication/create-authenticator.ts';
import { createServiceAccountAuthenticator } from '../../pkg/authentication/service-accounts/authenticator.ts';
import { generateSigningKey, parseServiceAccountKeys } from '../../pkg/authentication/service-accounts/keys.ts';
import { createOpenIdMetadata, type OpenIdMetadata } from '../../pkg/authentication/service-accounts/openid-metadata.ts';
import { signToken } from '../../pkg/authentication/service-accounts/sign-token.ts';
import { openOidcIssuer } from '../../pkg/authentication/oidc/open-oidc-issuer.ts';
import { createWebhookAuthenticator } from '../../pkg/authentication/webhook/webhook-authenticator.ts';
import type { RequestHeaderOptions } from '../../pkg/authentication/request-header.ts';
import { toBearerToken, type TokenAuthenticator } from '../../pkg/authentication/bearer-token.ts';
import type { JwtIssuer } from '../../pkg/authentication/oidc/issuer.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import { createTokenFileAuthenticator, type TokenTable } from '../../pkg/authentication/token-file.ts';
import { measureTokens } from '../../pkg/authentication/measured-tokens.ts';
import { reviewToken } from '../../pkg/authentication/review-token.ts';
import { openSetting } from '../../pkg/registry/setting.ts';
import { findTokenObject, uidOfTokenObject } from '../../pkg/registry/token-objects.ts';
import type { Registry } from '../../pkg/registry/registry.ts';
import { createWebhookClient } from '../../pkg/webhook/webhook-client.ts';
import type { WebhookConfig } from '../../pkg/webhook/webhook-config.ts';
import type { Backend } from '../../pkg/storage/backend.ts';
import type { AuthenticationFiles } from './authentication-files.ts';
import type { ServeOptions } from './flags.ts';
import { requireBoth } from './require-both.ts';

export interface AuthenticationOptions {
  readonly options: ServeOptions;
  readonly files: AuthenticationFiles;
  /** PEM. */
  readonly signingKey: string;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly newUid: () => string;
  /** A bearer token for the server's own requests. */
  readonly loopbackToken: string;
  /** Host and port under which clients reach the server. */
  readonly externalAddress: string;
}

export interface Authentication {
  readonly authenticator: Authenticator;
  /** The same without metrics, for open watches. */
  readonly checkingAuthenticator: Authenticator;
  readonly tokens: TokenService;
  /** Undefined: the issuer is no https URL. */
  readonly openIdMetadata: OpenIdMetadata | undefined;
}

/** As in Kubernetes. */
const LOOPBACK_USER: UserInfo = { name: 'system:apiserver', groups: [ADMIN_GROUP] };

export function createAuthentication(given: AuthenticationOptions): Authentication {
  const { options, files, registry, clock, newUid } = given;
  const { serviceAccountIssuer: issuers, apiAudiences: audiences = issuers, serviceAccountJwksUri, anonymousAuth } = options;
  const [issuer = ''] = issuers;
  const keys = parseServiceAccountKeys(given.signingKey, files.verificationKeys);
  const { tokens: tokenFile, configuration, webhook } = files;
  const loopback: TokenTable = new Map([[toBearerToken(Buffer.from(given.loopbackToken)).digest, LOOPBACK_USER]]);
  const tokenAuthenticators = [
    createTokenFileAuthenticator(() => loopback, audiences),
    ...(tokenFile === undefined ? [] : [createTokenFileAuthenticator(() => tokenFile.value, audiences)]),
    createServiceAccountAuthenticator({
      issuers,
      keys: keys.verification,
      audiences,
      objects: { find: (resource, namespace, name) => findTokenObject(registry, resource, { namespace, name }) },
      clock,
    }),
    createOidc(given, audiences),
    ...(webhook === undefined ? [] : [createWebhook(given, webhook, audiences)]),
  ];
  const measured = measureTokens(unionTokens(tokenAuthenticators), given.metrics, () => performance.now());
  const anonymous = () => configuration?.value.anonymous ?? { enabled: anonymousAuth };
  const shared = { audiences, requestHeader: requestHeaderOf(options), anonymous };
  return {
    authenticator: createAuthenticator({ ...shared, tokens: [measured] }),
    checkingAuthenticator: createAuthenticator({ ...shared, tokens: tokenAuthenticators }),
    tokens: {
      audiences,
      review: reviewToken({ tokens: measured, audiences, anonymous }),
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

/** Throws UsageError. */
function requestHeaderOf(options: ServeOptions): RequestHeaderOptions | undefined {
  const { requestheaderClientCaFile, requestheaderUsernameHeaders, requestheaderAllowedNames } = options;
  requireBoth(
    '--requestheader-client-ca-file',
    requestheaderClientCaFile,
    '--requestheader-username-headers',
    requestheaderUsernameHeaders?.join(','),
  );
  if (requestheaderUsernameHeaders === undefined) return undefined;
  const names = (headers: readonly string[] | undefined) => (headers ?? []).map((header) => header.toLowerCase());
  return {
    allowedNames: requestheaderAllowedNames ?? [],
    usernameHeaders: names(requestheaderUsernameHeaders),
    uidHeaders: names(options.requestheaderUidHeaders),
    groupHeaders: names(options.requestheaderGroupHeaders),
    extraHeaderPrefixes: names(options.requestheaderExtraHeadersPrefix),
  };
}

/** The issuers of the flags or of the configuration as it is now. */
function createOidc({ files, clock, log, metrics }: AuthenticationOptions, audiences: readonly string[]): TokenAuthenticator {
  const { issuer, configuration } = files;
  const onFetch = (url: string, isSuccess: boolean) => metrics.jwksFetchesTotal.with(url, isSuccess ? 'success' : 'failure').inc();
  /** By their configuration, so that one that did not change keeps its keys. */
  let known = new Map<string, TokenAuthenticator>();
  let builtFrom: readonly JwtIssuer[] | undefined;
  let union = unionTokens([]);
  const fromFlags = issuer === undefined ? [] : [issuer];
  return {
    authenticateToken: (question) => {
      const issuers = configuration?.value.issuers ?? fromFlags;
      if (issuers !== builtFrom) {
        const built = issuers.map((each): [string, TokenAuthenticator] => {
          const key = JSON.stringify(each);
          return [key, known.get(key) ?? openOidcIssuer(each, { audiences, clock, log, onFetch })];
        });
        known = new Map(built);
        union = unionTokens([...known.values()]);
        builtFrom = issuers;
      }
      return union.authenticateToken(question);
    },
  };
}

const WEBHOOK_TIMEOUT_MS = 10_000;

function createWebhook(
  { options, clock, log, metrics }: AuthenticationOptions,
  config: WebhookConfig,
  audiences: readonly string[],
): TokenAuthenticator {
  const client = createWebhookClient(config, {
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    onMissingSan: () => metrics.webhooksX509MissingSanTotal.with().inc(),
  });
  const [success, failure] = [metrics.tokenWebhookRequestsTotal.with('success'), metrics.tokenWebhookRequestsTotal.with('failure')];
  return createWebhookAuthenticator({
    apiVersion: `authentication.k8s.io/${options.authenticationTokenWebhookVersion}`,
    post: async (review) => JSON.parse((await client.post(JSON.stringify(review)).catch(withoutAnswer)).toString('utf8')) as unknown,
    audiences,
    cacheMs: options.authenticationTokenWebhookCacheTtl,
    clock,
    onAnswer: (problem) => {
      (problem === undefined ? success : failure).inc();
      if (problem !== undefined) log.warn('the webhook for tokens cannot be asked', { reason: problem });
    },
  });
}

/** The answer of a webhook may repeat the token, which must not be logged. */
function withoutAnswer(error: unknown): never {
  throw new Error(errorMessage(error).replace(/^(the answer is \d+):.*$/s, '$1'));
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
