/** The files of authentication, read before anything else is opened, and again when they change. */
import { readFile } from 'node:fs/promises';
import { openReloadedFile, type ReloadedFile } from '../../pkg/config/files/reloaded-file.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import type { AuthenticationConfiguration } from '../../pkg/authentication/configuration/authentication-configuration.ts';
import { issuerUrlProblem } from '../../pkg/authentication/configuration/issuer-url.ts';
import { type JwtIssuer, SIGNING_ALGORITHMS } from '../../pkg/authentication/oidc/issuer.ts';
import type { WebhookConfig } from '../../pkg/webhook/webhook-config.ts';
import { readAuthorities } from '../../pkg/certificates/tls-files.ts';
import { parseServiceAccountKeys, parseVerificationKeys } from '../../pkg/authentication/service-accounts/keys.ts';
import { parseTokenFile, type TokenTable } from '../../pkg/authentication/token-file.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import { type ConfigReloads, createConfigReloads } from './config-reloads.ts';
import { UsageError } from './flag.ts';
import type { ServeOptions } from './flags.ts';
import { requireBoth } from './require-both.ts';

export interface AuthenticationFiles {
  /** Undefined without `--token-auth-file`. */
  readonly tokens: ReloadedFile<TokenTable> | undefined;
  /** Undefined without `--authentication-config`. */
  readonly configuration: ReloadedFile<AuthenticationConfiguration> | undefined;
  /** That of the `--oidc-*` flags. */
  readonly issuer: JwtIssuer | undefined;
  /** Undefined without `--authentication-token-webhook-config-file`. */
  readonly webhook: WebhookConfig | undefined;
  /** PEM. Undefined: the key is in the store. */
  readonly signingKey: string | undefined;
  /** PEM of `--service-account-key-file`. */
  readonly verificationKeys: readonly string[];
  /** Ends the polling of files. */
  close(): void;
}

export interface FileOptions {
  readonly options: ServeOptions;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Pick<Clock, 'now'>;
  /** Of this server, once it is known. */
  readonly serverId: Promise<string>;
}

/** Throws UsageError with one sentence that names the flag and the file. */
export async function openAuthenticationFiles(shared: FileOptions): Promise<AuthenticationFiles> {
  const { options } = shared;
  const { tokenAuthFile, serviceAccountSigningKeyFile, serviceAccountKeyFile } = options;
  const parseTokens = (text: string) => parseTokenFile(text, tokenAuthFile ?? '');
  const [tokens, configuration, issuer, webhook, signingKey, verificationKeys] = await Promise.all([
    tokenAuthFile === undefined ? undefined : openFlagFile(shared, '--token-auth-file', tokenAuthFile, parseTokens),
    openConfiguration(shared),
    readOidcIssuer(options),
    readWebhook(options.authenticationTokenWebhookConfigFile),
    serviceAccountSigningKeyFile === undefined
      ? undefined
      : readPem('--service-account-signing-key-file', serviceAccountSigningKeyFile, parseServiceAccountKeys),
    Promise.all((serviceAccountKeyFile ?? []).map((path) => readPem('--service-account-key-file', path, parseVerificationKeys))),
  ]);
  return {
    tokens,
    configuration,
    issuer,
    webhook,
    signingKey,
    verificationKeys,
    close: () => {
      tokens?.close();
      configuration?.close();
    },
  };
}

/** A change that is not valid keeps the last valid content. */
async function openFlagFile<Value>(
  { log, metrics }: FileOptions,
  flag: string,
  path: string,
  parse: (text: string) => Value,
  onReload: (isUsed: boolean) => void = () => undefined,
): Promise<ReloadedFile<Value>> {
  const file = flag.replace(/^--/, '');
  const reloaded = (error: Error | undefined) => {
    metrics.fileReloadsTotal.with(file, error === undefined ? 'success' : 'failure').inc();
    onReload(error === undefined);
    if (error === undefined) log.info('file reloaded', { flag, path });
    else log.error('file reload failed, the last valid content stays in use', { flag, reason: error.message });
  };
  return openReloadedFile({ path, parse, reloaded }).catch((error: unknown) => {
    throw new UsageError(`${flag}: ${errorMessage(error)}`);
  });
}

/** Throws UsageError. */
async function openConfiguration(shared: FileOptions): Promise<ReloadedFile<AuthenticationConfiguration> | undefined> {
  const { authenticationConfig: path, anonymousAuth, serviceAccountIssuer: own, oidcIssuerUrl } = shared.options;
  if (path === undefined) return undefined;
  const { parseAuthenticationConfiguration } = await import('../../pkg/authentication/configuration/authentication-configuration.ts');
  const group = `apiserver.config.${DEFAULT_GROUP_SUFFIX}`;
  let lastText = '';
  const parse = (text: string) => {
    const configuration = parseAuthenticationConfiguration(text, { path, group, own });
    if (oidcIssuerUrl !== undefined) throw new Error('it and --oidc-* flags exclude each other');
    if (!anonymousAuth && configuration.anonymous !== undefined) {
      throw new Error(`${path} says who may be anonymous, and so does --anonymous-auth=false`);
    }
    lastText = text;
    return configuration;
  };
  let reloads: ConfigReloads | undefined;
  const onReload = (isUsed: boolean) => reloads?.reloaded(isUsed ? lastText : undefined);
  const file = await openFlagFile(shared, '--authentication-config', path, parse, onReload);
  void shared.serverId.then((id) => {
    reloads = createConfigReloads(shared.metrics.authenticationConfigReloads, id, shared.clock);
    reloads.opened(lastText);
  });
  return file;
}

/** Throws UsageError. */
async function readOidcIssuer(options: ServeOptions): Promise<JwtIssuer | undefined> {
  const { oidcIssuerUrl: url, oidcClientId, oidcCaFile, oidcUsernameClaim: claim, oidcUsernamePrefix, oidcGroupsClaim } = options;
  requireBoth('--oidc-issuer-url', url, '--oidc-client-id', oidcClientId);
  if (url === undefined || oidcClientId === undefined) return undefined;
  const problem = issuerUrlProblem(url, options.serviceAccountIssuer);
  if (problem !== undefined) throw new UsageError(`--oidc-issuer-url: ${problem}`);
  const unknown = options.oidcSigningAlgs.find((algorithm) => !SIGNING_ALGORITHMS.includes(algorithm));
  if (unknown !== undefined) throw new UsageError(`--oidc-signing-algs: ${unknown} is not one of ${SIGNING_ALGORITHMS.join(', ')}`);
  const prefix = oidcUsernamePrefix ?? (claim === 'email' ? '' : `${url}#`);
  return {
    url,
    certificateAuthority:
      oidcCaFile === undefined ? undefined : await readAuthorities({ flag: '--oidc-ca-file', path: oidcCaFile }, Date.now()),
    audiences: [oidcClientId],
    algorithms: options.oidcSigningAlgs,
    requiredClaims: options.oidcRequiredClaim ?? [],
    username: { claim, prefix: prefix === '-' ? '' : prefix },
    groups: oidcGroupsClaim === undefined ? undefined : { claim: oidcGroupsClaim, prefix: options.oidcGroupsPrefix ?? '' },
  };
}

/** Throws UsageError. */
async function readWebhook(path: string | undefined): Promise<WebhookConfig | undefined> {
  if (path === undefined) return undefined;
  const { readWebhookConfig } = await import('../../pkg/webhook/webhook-config.ts');
  return readWebhookConfig(path).catch((error: unknown) => {
    throw new UsageError(`--authentication-token-webhook-config-file: ${errorMessage(error)}`);
  });
}

/** `parse` throws if the file has no usable key. */
async function readPem(flag: string, path: string, parse: (pem: string) => unknown): Promise<string> {
  let pem;
  try {
    pem = await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${flag}: ${path} cannot be read: ${errorMessage(error)}`);
  }
  try {
    parse(pem);
  } catch (error) {
    throw new UsageError(`${flag}: ${path} ${errorMessage(error)}`);
  }
  return pem;
}
