/**
 * Declares all metrics of the server. Metrics that kube-apiserver or kube-controller-manager have too have their names,
 * so that dashboards and alerts work unchanged; the others start with `coxswain_`. Other modules use the members and
 * create no metrics.
 *
 * prom-client provides the metrics of the process and the runtime. The others use `instruments.ts`, because every
 * request makes three observations: 20 ns each, compared to 0.5 to 1.5 µs for a labelled one of prom-client.
 */
import { Registry, collectDefaultMetrics } from 'prom-client';
import { declareFlowControlMetrics, type FlowControlMetrics } from './flow-control-metrics.ts';
import { exposeText, HistogramFamily, InfoMetric, NumberFamily } from './instruments.ts';
import type { Counter, Exposed, Family, Gauge, Histogram } from './instruments.ts';

export interface Metrics extends FlowControlMetrics {
  /** verb, dry_run, group, version, resource, subresource, scope, component, code */
  readonly requestTotal: Family<Counter>;
  /** verb, dry_run, group, version, resource, subresource, scope, component */
  readonly requestDurationSeconds: Family<Histogram>;
  /** The same without long-running requests, for service level rules. */
  readonly requestSliDurationSeconds: Family<Histogram>;
  /** verb, group, version, resource, subresource, scope, component */
  readonly responseSizes: Family<Histogram>;
  /** request_kind: mutating, readOnly */
  readonly currentInflightRequests: Family<Gauge>;
  /** verb, group, version, resource, subresource, scope, component */
  readonly longRunningRequests: Family<Gauge>;
  /** verb, group, version, resource, subresource, scope, component, code */
  readonly requestTerminationsTotal: Family<Counter>;
  /** group, version, resource. Copied from the watch cache's counters when metrics are read. */
  readonly watchEventsTotal: Family<Gauge>;
  /** group, resource: watches closed because the client did not read. */
  readonly terminatedWatchersTotal: Family<Counter>;
  /** operation, group, resource */
  readonly storeRequestDurationSeconds: Family<Histogram>;
  /** operation, group, resource */
  readonly storeRequestsTotal: Family<Counter>;
  /** operation, group, resource */
  readonly storeRequestErrorsTotal: Family<Counter>;
  readonly storageSizeBytes: Family<Gauge>;
  /** group, resource */
  readonly unreadableObjects: Family<Gauge>;
  /** group, resource */
  readonly resourceObjects: Family<Gauge>;
  /** group, resource */
  readonly watchCacheResourceVersion: Family<Gauge>;
  /** group, resource */
  readonly watchCacheEventsReceivedTotal: Family<Counter>;
  /** group, resource */
  readonly watchCacheInitializationsTotal: Family<Counter>;
  readonly watchCacheReadWaitSeconds: Family<Histogram>;
  /** success: true, false */
  readonly watchCacheConsistentReadTotal: Family<Counter>;
  /** Revisions that the backend's watch did not deliver. Each is a lost event that forced a re-list. */
  readonly storageRevisionGapsTotal: Family<Counter>;
  readonly eventLoopTickCpuSeconds: Family<Histogram>;
  /** name, as all of the `workqueue` metrics */
  readonly workqueueDepth: Family<Gauge>;
  readonly workqueueAddsTotal: Family<Counter>;
  readonly workqueueQueueDurationSeconds: Family<Histogram>;
  readonly workqueueWorkDurationSeconds: Family<Histogram>;
  readonly workqueueUnfinishedWorkSeconds: Family<Gauge>;
  readonly workqueueLongestRunningProcessorSeconds: Family<Gauge>;
  readonly workqueueRetriesTotal: Family<Counter>;
  readonly garbageCollectorResourcesSyncErrorTotal: Family<Counter>;
  readonly auditEventTotal: Family<Counter>;
  /** plugin */
  readonly auditErrorTotal: Family<Counter>;
  /** status: success, failure */
  readonly auditPolicyReloadsTotal: Family<Counter>;
  /** level */
  readonly auditLevelTotal: Family<Counter>;
  readonly credentialsLostTotal: Family<Counter>;
  /** issuer, result */
  readonly jwksFetchesTotal: Family<Counter>;
  /** result */
  readonly tokenWebhookRequestsTotal: Family<Counter>;
  /** flag, result */
  readonly fileReloadsTotal: Family<Counter>;
  /** username: a few names, email_id, other */
  readonly authenticatedUserRequests: Family<Counter>;
  /** result: success, failure, error */
  readonly authenticationAttempts: Family<Counter>;
  readonly authenticationDurationSeconds: Family<Histogram>;
  /** status: hit, miss */
  readonly tokenCacheRequestTotal: Family<Counter>;
  readonly tokenCacheRequestDurationSeconds: Family<Histogram>;
  /** status: ok, error */
  readonly tokenCacheFetchTotal: Family<Counter>;
  /** status: in_flight */
  readonly tokenCacheActiveFetchCount: Family<Gauge>;
  readonly clientCertificateExpirationSeconds: Family<Histogram>;
  /** result: allowed, denied, no-opinion, error */
  readonly authorizationAttemptsTotal: Family<Counter>;
  readonly authorizationDurationSeconds: Family<Histogram>;
  /** mode, decision: allowed, denied; as all of impersonation */
  readonly impersonationAttemptsTotal: Family<Counter>;
  readonly impersonationAttemptsDurationSeconds: Family<Histogram>;
  readonly impersonationAuthorizationAttemptsTotal: Family<Counter>;
  readonly impersonationAuthorizationAttemptsDurationSeconds: Family<Histogram>;
  /** Requests to webhooks whose certificate has no subject alternative name. */
  readonly webhooksX509MissingSanTotal: Family<Counter>;
  /** result: success, failure */
  readonly manifestAppliesTotal: Family<Counter>;
  readonly manifestProblems: Family<Gauge>;
  readonly authenticationConfigReloads: ConfigReloadMetrics;
  readonly authorizationConfigReloads: ConfigReloadMetrics;
  /** type, name, decision: allowed, denied */
  readonly authorizationDecisionsTotal: Family<Counter>;
  /** name, result: success, timeout, error; as all of the webhook's */
  readonly authorizationWebhookEvaluationsTotal: Family<Counter>;
  readonly authorizationWebhookDurationSeconds: Family<Histogram>;
  readonly authorizationWebhookFailOpenTotal: Family<Counter>;
  /** All of the above, for the exposition and for generating `docs/metrics.md`. */
  readonly families: readonly Exposed[];
  /** Calls `refresh`, which sets gauges, whenever the text is rendered. Returns the function that ends it. */
  beforeExpose(refresh: () => void): () => void;
  /** The text of `/metrics`. Rendered at most once per second, because rendering is expensive. */
  expose(): Promise<string>;
  readonly contentType: string;
}

/** Of a configuration file that is read again when it changes. */
export interface ConfigReloadMetrics {
  /** status: success, failure; apiserver_id_hash */
  readonly total: Family<Counter>;
  readonly lastTimestampSeconds: Family<Gauge>;
  /** apiserver_id_hash, hash */
  readonly lastConfig: InfoMetric;
}

const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const SHORT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The default of Prometheus. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Of access: from 1 ms to 16.384 s, doubled. */
const ACCESS_SECONDS = Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power);
/** Of certificates: up to a year. */
const REMAINING_SECONDS = [0, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 345600, 604800, 2592000, 7776000, 15552000, 31104000];
/** Fine-grained around 20 ms, the target maximum of a tick. */
const TICK_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.1, 0.25, 0.5, 1];
/** Of client-go's workqueue, which multiplies: from 10 ns to 10 s, some of them rounded. */
const WORK_SECONDS = [1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 0.001, 0.01, 0.1, 1, 10];
const BYTES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

const SCOPED = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'];
const TIMED = ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'];
const STORE = ['operation', 'group', 'resource'];
const RENDER_AGAIN_MS = 1000;

export interface MetricsOptions {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether to include metrics of the process; tests of the server's metrics omit them. */
  readonly processMetrics: boolean;
}

export function createMetrics({ version, now, processMetrics }: MetricsOptions): Metrics {
  const families: Exposed[] = [];
  const counter = (name: string, help: string, labels: readonly string[] = []) => {
    const family = new NumberFamily('counter', name, help, labels);
    families.push(family);
    return family;
  };
  const gauge = (name: string, help: string, labels: readonly string[] = []) => {
    const family = new NumberFamily('gauge', name, help, labels);
    families.push(family);
    return family;
  };
  const histogram = (name: string, help: string, bounds: readonly number[], labels: readonly string[] = []) => {
    const family = new HistogramFamily(name, help, labels, bounds);
    families.push(family);
    return family;
  };
  const configReloads = (subject: string): ConfigReloadMetrics => {
    const prefix = `apiserver_${subject}_config_controller`;
    const labels = ['status', 'apiserver_id_hash'];
    const lastConfig = new InfoMetric(`${prefix}_last_config_info`, `The ${subject} configuration in use, by its hash.`, [
      'apiserver_id_hash',
      'hash',
    ]);
    families.push(lastConfig);
    return {
      total: counter(`${prefix}_automatic_reloads_total`, `Changes of the ${subject} configuration file; failure: not used.`, labels),
      lastTimestampSeconds: gauge(
        `${prefix}_automatic_reload_last_timestamp_seconds`,
        `When the ${subject} configuration file last changed.`,
        labels,
      ),
      lastConfig,
    };
  };
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  // Gauges must not end in `_total`; prom-client's gauges by type have the same content.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`);

  gauge('kubernetes_build_info', 'The version of this server; always 1.', ['git_version', 'major', 'minor'])
    .with(version, '1', '36')
    .set(1);

  let rendered: { readonly at: number; readonly text: Promise<string> } | undefined;
  const refreshers = new Set<() => void>();
  const render = async () => {
    for (const refresh of refreshers) refresh();
    return exposeText(families) + (await registry.metrics());
  };

  return {
    ...declareFlowControlMetrics({ counter, gauge, histogram }),
    requestTotal: counter('apiserver_request_total', 'Requests by verb, resource and answer code.', [...TIMED, 'code']),
    requestDurationSeconds: histogram('apiserver_request_duration_seconds', 'Time to answer a request.', SECONDS, TIMED),
    requestSliDurationSeconds: histogram(
      'apiserver_request_sli_duration_seconds',
      'Time to answer a request, without long-running ones.',
      SECONDS,
      TIMED,
    ),
    responseSizes: histogram('apiserver_response_sizes', 'Size of answers in bytes.', BYTES, SCOPED),
    currentInflightRequests: gauge('apiserver_current_inflight_requests', 'Requests running now, without long-running ones.', [
      'request_kind',
    ]),
    longRunningRequests: gauge('apiserver_longrunning_requests', 'Long-running requests that are open now.', SCOPED),
    requestTerminationsTotal: counter('apiserver_request_terminations_total', 'Requests that the server aborted.', [...SCOPED, 'code']),
    watchEventsTotal: counter('apiserver_watch_events_total', 'Events sent to watches.', ['group', 'version', 'resource']),
    terminatedWatchersTotal: counter('apiserver_terminated_watchers_total', 'Watches closed because the client did not read.', [
      'group',
      'resource',
    ]),
    storeRequestDurationSeconds: histogram('etcd_request_duration_seconds', 'Time of a call to the store.', SHORT_SECONDS, STORE),
    storeRequestsTotal: counter('etcd_requests_total', 'Calls to the store.', STORE),
    storeRequestErrorsTotal: counter('etcd_request_errors_total', 'Failed calls to the store.', STORE),
    storageSizeBytes: gauge('apiserver_storage_size_bytes', 'Size of the store in bytes, as it reports it.'),
    unreadableObjects: gauge(
      'coxswain_unreadable_objects',
      'Stored objects by resource whose value cannot be read: lists that would show them fail.',
      ['group', 'resource'],
    ),
    resourceObjects: gauge('apiserver_resource_objects', 'Stored objects by resource.', ['group', 'resource']),
    watchCacheResourceVersion: gauge('apiserver_watch_cache_resource_version', 'The revision that the watch cache has reached.', [
      'group',
      'resource',
    ]),
    watchCacheEventsReceivedTotal: counter('apiserver_watch_cache_events_received_total', 'Changes that the watch cache applied.', [
      'group',
      'resource',
    ]),
    watchCacheInitializationsTotal: counter('apiserver_watch_cache_initializations_total', 'Times the watch cache was filled.', [
      'group',
      'resource',
    ]),
    watchCacheReadWaitSeconds: histogram(
      'apiserver_watch_cache_read_wait_seconds',
      'Time a consistent read waited for the watch cache.',
      SHORT_SECONDS,
    ),
    watchCacheConsistentReadTotal: counter(
      'apiserver_watch_cache_consistent_read_total',
      'Consistent reads; false: answered by the store.',
      ['success'],
    ),
    storageRevisionGapsTotal: counter('coxswain_storage_revision_gaps_total', 'Revisions that the watch of the store did not deliver.'),
    eventLoopTickCpuSeconds: histogram(
      'coxswain_event_loop_tick_cpu_seconds',
      'Processor time of one tick of the event loop, during which nothing else is served.',
      TICK_SECONDS,
    ),
    workqueueDepth: gauge('workqueue_depth', 'Items that wait in a queue of a controller.', ['name']),
    workqueueAddsTotal: counter('workqueue_adds_total', 'Items added to a queue of a controller.', ['name']),
    workqueueQueueDurationSeconds: histogram('workqueue_queue_duration_seconds', 'Time an item waits in its queue.', WORK_SECONDS, [
      'name',
    ]),
    workqueueWorkDurationSeconds: histogram('workqueue_work_duration_seconds', 'Time to process an item.', WORK_SECONDS, ['name']),
    workqueueUnfinishedWorkSeconds: gauge(
      'workqueue_unfinished_work_seconds',
      'How long the items that are being processed have been so, in total.',
      ['name'],
    ),
    workqueueLongestRunningProcessorSeconds: gauge(
      'workqueue_longest_running_processor_seconds',
      'How long the item that is being processed for longest has been so.',
      ['name'],
    ),
    workqueueRetriesTotal: counter('workqueue_retries_total', 'Items added to a queue again after they failed.', ['name']),
    garbageCollectorResourcesSyncErrorTotal: counter(
      'garbagecollector_controller_resources_sync_error_total',
      'Times the garbage collector failed and began again.',
    ),
    auditEventTotal: counter('apiserver_audit_event_total', 'Audit events passed to the backends.'),
    auditErrorTotal: counter('apiserver_audit_error_total', 'Audit events that a backend lost.', ['plugin']),
    auditPolicyReloadsTotal: counter('coxswain_audit_policy_reloads_total', 'Changes of the audit policy file; failure: not used.', [
      'status',
    ]),
    auditLevelTotal: counter('apiserver_audit_level_total', 'Requests by the level that the audit policy gives them.', ['level']),
    credentialsLostTotal: counter(
      'coxswain_watches_without_credentials_total',
      'Watches ended because their credentials were no longer valid.',
    ),
    jwksFetchesTotal: counter('coxswain_jwks_fetches_total', 'Times that the keys of an OIDC issuer were fetched.', ['issuer', 'result']),
    tokenWebhookRequestsTotal: counter('coxswain_token_webhook_requests_total', 'TokenReviews sent to the webhook.', ['result']),
    fileReloadsTotal: counter(
      'coxswain_file_reloads_total',
      'Changed files that were read again, by flag; failure: the last valid content stays in use.',
      ['flag', 'result'],
    ),
    authenticatedUserRequests: counter('authenticated_user_requests', 'Authenticated requests by user: a few names, others together.', [
      'username',
    ]),
    authenticationAttempts: counter('authentication_attempts', 'Requests by the result of authentication.', ['result']),
    authenticationDurationSeconds: histogram('authentication_duration_seconds', 'Time to authenticate a request.', ACCESS_SECONDS, [
      'result',
    ]),
    tokenCacheRequestTotal: counter('authentication_token_cache_request_total', 'Tokens; hit: known already.', ['status']),
    tokenCacheRequestDurationSeconds: histogram(
      'authentication_token_cache_request_duration_seconds',
      'Time to find out who a token belongs to.',
      CALL_SECONDS,
      ['status'],
    ),
    tokenCacheFetchTotal: counter('authentication_token_cache_fetch_total', 'Tokens that were verified, or asked about.', ['status']),
    tokenCacheActiveFetchCount: gauge('authentication_token_cache_active_fetch_count', 'Tokens that are being verified now.', ['status']),
    clientCertificateExpirationSeconds: histogram(
      'apiserver_client_certificate_expiration_seconds',
      'How long the certificates of requests are still valid.',
      REMAINING_SECONDS,
    ),
    authorizationAttemptsTotal: counter('authorization_attempts_total', 'Requests by the result of authorization.', ['result']),
    authorizationDurationSeconds: histogram('authorization_duration_seconds', 'Time to authorize a request.', ACCESS_SECONDS, ['result']),
    impersonationAttemptsTotal: counter('apiserver_impersonation_attempts_total', 'Requests to act as another user.', ['mode', 'decision']),
    impersonationAttemptsDurationSeconds: histogram(
      'apiserver_impersonation_attempts_duration_seconds',
      'Time to decide on a request to act as another user.',
      ACCESS_SECONDS,
      ['mode', 'decision'],
    ),
    impersonationAuthorizationAttemptsTotal: counter(
      'apiserver_impersonation_authorization_attempts_total',
      'Permissions that were looked up to act as another user.',
      ['mode', 'decision'],
    ),
    impersonationAuthorizationAttemptsDurationSeconds: histogram(
      'apiserver_impersonation_authorization_attempts_duration_seconds',
      'Time to look up a permission to act as another user.',
      ACCESS_SECONDS,
      ['mode', 'decision'],
    ),
    webhooksX509MissingSanTotal: counter(
      'apiserver_webhooks_x509_missing_san_total',
      'Connections to webhooks whose certificate has no subject alternative name.',
    ),
    manifestAppliesTotal: counter('coxswain_manifest_applies_total', 'Objects of --manifest-dir that were applied, or failed to be.', [
      'result',
    ]),
    manifestProblems: gauge('coxswain_manifest_problems', 'Objects and files of --manifest-dir that are not applied now.'),
    authenticationConfigReloads: configReloads('authentication'),
    authorizationConfigReloads: configReloads('authorization'),
    authorizationDecisionsTotal: counter('apiserver_authorization_decisions_total', 'Decisions by the authorizer that made them.', [
      'type',
      'name',
      'decision',
    ]),
    authorizationWebhookEvaluationsTotal: counter('apiserver_authorization_webhook_evaluations_total', 'Calls of authorization webhooks.', [
      'name',
      'result',
    ]),
    authorizationWebhookDurationSeconds: histogram(
      'apiserver_authorization_webhook_duration_seconds',
      'Time of a call of an authorization webhook.',
      CALL_SECONDS,
      ['name', 'result'],
    ),
    authorizationWebhookFailOpenTotal: counter(
      'apiserver_authorization_webhook_evaluations_fail_open_total',
      'Failures of authorization webhooks that left the decision to the next authorizer.',
      ['name', 'result'],
    ),
    families,
    beforeExpose: (refresh) => {
      refreshers.add(refresh);
      return () => refreshers.delete(refresh);
    },
    contentType: registry.contentType,
    expose: () => {
      if (rendered === undefined || now() - rendered.at >= RENDER_AGAIN_MS) rendered = { at: now(), text: render() };
      return rendered.text;
    },
  };
}
