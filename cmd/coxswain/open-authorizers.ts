/** Opens the authorizers that the flags or the AuthorizationConfiguration name, again when the file changes. */
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import type { Authorizer, RuleResolver } from '../../pkg/authorization/authorizer.ts';
import { alwaysAllowAuthorizer, alwaysDenyAuthorizer } from '../../pkg/authorization/constant.ts';
import { countDecisions } from '../../pkg/authorization/count-decisions.ts';
import { createAuthorizer } from '../../pkg/authorization/create-authorizer.ts';
import type { ConfiguredAuthorizer, WebhookSettings } from '../../pkg/authorization/configuration/configured-authorizer.ts';
import { createWebhookAuthorizer } from '../../pkg/authorization/webhook/webhook-authorizer.ts';
import { openReloadedFile } from '../../pkg/config/files/reloaded-file.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import { createWebhookClient, WebhookError } from '../../pkg/webhook/webhook-client.ts';
import { readWebhookConfig } from '../../pkg/webhook/webhook-config.ts';
import { createConfigReloads } from './config-reloads.ts';
import { UsageError } from './flag.ts';
import type { ServeOptions } from './flags.ts';

export type FullAuthorizer = Authorizer & RuleResolver;

export interface OpenAuthorizersOptions {
  readonly options: ServeOptions;
  readonly rbac: FullAuthorizer;
  readonly serverId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface OpenedAuthorizers {
  /** As configured now. */
  readonly authorizer: FullAuthorizer;
  close(): void;
}

interface AuthorizerChain {
  readonly configured: readonly ConfiguredAuthorizer[];
  readonly authorizer: FullAuthorizer;
  close(): void;
}

const WEBHOOK_TIMEOUT_MS = 30_000;
const AUTHORIZED_TTL_MS = 300_000;
const UNAUTHORIZED_TTL_MS = 30_000;

/** Throws UsageError. */
export async function openAuthorizers(shared: OpenAuthorizersOptions): Promise<OpenedAuthorizers> {
  const { authorizationConfig } = shared.options;
  if (authorizationConfig !== undefined) return openConfigured(authorizationConfig, shared);
  return openChain(authorizersOfFlags(shared.options), shared).catch((error: unknown) => {
    throw new UsageError(`--authorization-webhook-config-file: ${errorMessage(error)}`);
  });
}

/** Throws UsageError. */
function authorizersOfFlags(options: ServeOptions): readonly ConfiguredAuthorizer[] {
  const { authorizationMode: modes = ['RBAC'], authorizationWebhookConfigFile: kubeconfig } = options;
  if (modes.includes('Webhook') !== (kubeconfig !== undefined)) {
    throw new UsageError('--authorization-mode=Webhook and --authorization-webhook-config-file are given together or not at all');
  }
  return modes.map((type) => {
    if (type !== 'Webhook') return { type, name: type.toLowerCase() };
    const webhook: WebhookSettings = {
      kubeconfig: kubeconfig ?? '',
      version: options.authorizationWebhookVersion ?? 'v1beta1',
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      allowedMs: options.authorizationWebhookCacheAuthorizedTtl ?? AUTHORIZED_TTL_MS,
      notAllowedMs: options.authorizationWebhookCacheUnauthorizedTtl ?? UNAUTHORIZED_TTL_MS,
      // As in Kubernetes; the file of --authorization-config says it.
      failurePolicy: 'NoOpinion',
    };
    return { type, name: 'default', webhook };
  });
}

/** Throws UsageError. */
async function openConfigured(path: string, shared: OpenAuthorizersOptions): Promise<OpenedAuthorizers> {
  const { options, serverId, clock, log, metrics } = shared;
  assertNoOtherFlags(options);
  const { parseAuthorizationConfiguration } = await import('../../pkg/authorization/configuration/authorization-configuration.ts');
  const reloads = createConfigReloads(metrics.authorizationConfigReloads, serverId, clock);
  let lastText = '';
  let current: AuthorizerChain | undefined;
  const parse = async (text: string) => {
    const configured = parseAuthorizationConfiguration(text, { path, group: `apiserver.config.${DEFAULT_GROUP_SUFFIX}` });
    assertKept(current?.configured ?? [], configured, path);
    const next = await openChain(configured, shared);
    current?.close();
    current = next;
    lastText = text;
    return next;
  };
  const reloaded = (error: Error | undefined) => {
    reloads.reloaded(error === undefined ? lastText : undefined);
    if (error === undefined) log.info('authorization configuration reloaded', { file: path });
    else log.error('authorization configuration not reloaded; the one before stays in force', { reason: error.message });
  };
  const file = await openReloadedFile({ path, parse, reloaded }).catch((error: unknown) => {
    throw new UsageError(`--authorization-config: ${errorMessage(error)}`);
  });
  reloads.opened(lastText);
  return {
    authorizer: {
      authorize: (request) => file.value.authorizer.authorize(request),
      rulesFor: (user, namespace) => file.value.authorizer.rulesFor(user, namespace),
    },
    close: () => {
      file.close();
      file.value.close();
    },
  };
}

function assertNoOtherFlags(options: ServeOptions): void {
  const others = [
    options.authorizationMode,
    options.authorizationWebhookConfigFile,
    options.authorizationWebhookVersion,
    options.authorizationWebhookCacheAuthorizedTtl,
    options.authorizationWebhookCacheUnauthorizedTtl,
  ];
  if (others.every((value) => value === undefined)) return;
  throw new UsageError(
    '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
  );
}

/** As in Kubernetes, what is no webhook must stay while the server runs. */
function assertKept(before: readonly ConfiguredAuthorizer[], next: readonly ConfiguredAuthorizer[], path: string): void {
  const missing = before.flatMap(({ type }) => (type === 'Webhook' || next.some((each) => each.type === type) ? [] : type));
  if (missing.length > 0) throw new Error(`${path}: missing required types: [${missing.join(' ')}]`);
}

async function openChain(configured: readonly ConfiguredAuthorizer[], shared: OpenAuthorizersOptions): Promise<AuthorizerChain> {
  const opened = await Promise.all(configured.map((each) => openAuthorizer(each, shared)));
  return {
    configured,
    authorizer: createAuthorizer(opened.map(({ authorizer }) => authorizer)),
    close: () => {
      for (const each of opened) each.close();
    },
  };
}

async function openAuthorizer(configured: ConfiguredAuthorizer, shared: OpenAuthorizersOptions): Promise<OpenedAuthorizers> {
  const { type, name } = configured;
  const decisions = (decision: string) => shared.metrics.authorizationDecisionsTotal.with(type, name, decision);
  const opened = type === 'Webhook' ? await openWebhook(name, configured.webhook, shared) : builtIn(type, shared.rbac);
  const counters = { allowed: decisions('allowed'), denied: decisions('denied') };
  return { authorizer: countDecisions(opened.authorizer, counters), close: () => opened.close() };
}

function builtIn(type: Exclude<ConfiguredAuthorizer['type'], 'Webhook'>, RBAC: FullAuthorizer): OpenedAuthorizers {
  const authorizers = { RBAC, AlwaysAllow: alwaysAllowAuthorizer, AlwaysDeny: alwaysDenyAuthorizer };
  return { authorizer: authorizers[type], close: () => undefined };
}

async function openWebhook(name: string, settings: WebhookSettings, shared: OpenAuthorizersOptions): Promise<OpenedAuthorizers> {
  const { clock, log, metrics } = shared;
  const { kubeconfig, timeoutMs, ...rules } = settings;
  const client = createWebhookClient(await readWebhookConfig(kubeconfig), {
    timeoutMs,
    onMissingSan: () => metrics.webhooksX509MissingSanTotal.with().inc(),
  });
  const authorizer = createWebhookAuthorizer({
    ...rules,
    group: `authorization.${DEFAULT_GROUP_SUFFIX}`,
    post: async (review) => (await client.post(review)).toString('utf8'),
    failureOf: (error) => (error instanceof WebhookError ? error : { isTimeout: false, isTransient: false }),
    clock,
    random: Math.random,
    onCall: (result, milliseconds) => {
      metrics.authorizationWebhookEvaluationsTotal.with(name, result).inc();
      metrics.authorizationWebhookDurationSeconds.with(name, result).observe(milliseconds / 1000);
    },
    onFailOpen: (result) => metrics.authorizationWebhookFailOpenTotal.with(name, result).inc(),
    onFailure: (reason) => log.warn('the authorization webhook cannot be asked', { name, reason }),
  });
  return { authorizer, close: () => client.close() };
}
