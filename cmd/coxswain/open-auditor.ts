/** Opens the policy and the backends of the audit, as the flags say. */
import { openRotatedFile } from '../../pkg/audit/rotated-file.ts';
import { Auditor, createLossReport } from '../../pkg/audit/auditor.ts';
import type { AuditBackend } from '../../pkg/audit/audit-backend.ts';
import { createLogBackend } from '../../pkg/audit/log-backend.ts';
import { createAuditDecider } from '../../pkg/audit/policy.ts';
import { policyFileKind } from '../../pkg/audit/policy-file.ts';
import { createStandardOutput } from '../../pkg/audit/standard-output.ts';
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import { createWebhookBackend } from '../../pkg/audit/webhook-backend.ts';
import { openReloadedFile } from '../../pkg/config/files/reloaded-file.ts';
import { parseTypedFile } from '../../pkg/config/files/typed-file.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import { createWebhookClient } from '../../pkg/webhook/webhook-client.ts';
import { readWebhookConfig } from '../../pkg/webhook/webhook-config.ts';
import { UsageError } from './flag.ts';
import type { ServeOptions } from './flags.ts';

export interface OpenAuditorOptions {
  readonly options: ServeOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly closers: (() => Promise<void>)[];
}

const DAY_MS = 24 * 60 * 60_000;
const MEGABYTE = 1024 * 1024;
const WEBHOOK_TIMEOUT_MS = 30_000;

/** Undefined: nothing is audited. Throws UsageError for a policy or file that cannot be used. */
export async function openAuditor({ options, closers, ...shared }: OpenAuditorOptions): Promise<Auditor | undefined> {
  const { auditPolicyFile, auditLogPath, auditWebhookConfigFile, groupSuffix } = options;
  if (auditPolicyFile === undefined) {
    for (const [flag, value] of [
      ['log-path', auditLogPath],
      ['webhook-config-file', auditWebhookConfigFile],
    ] as const) {
      if (value !== undefined) throw new UsageError(`--audit-${flag} requires --audit-policy-file, which says what is recorded`);
    }
    return undefined;
  }
  if (auditLogPath === undefined && auditWebhookConfigFile === undefined) {
    throw new UsageError('--audit-policy-file requires --audit-log-path or --audit-webhook-config-file, where events go');
  }
  const { log, metrics } = shared;
  const kind = policyFileKind(groupSuffix);
  const policy = await openReloadedFile({
    path: auditPolicyFile,
    parse: (text) => createAuditDecider(parseTypedFile(text, auditPolicyFile, kind)),
    reloaded: (error) => {
      metrics.auditPolicyReloadsTotal.with(error === undefined ? 'success' : 'failure').inc();
      if (error === undefined) log.info('audit policy reloaded', { file: auditPolicyFile });
      else log.error('audit policy not reloaded; the one before stays in force', { reason: error.message });
    },
  }).catch(usageError('--audit-policy-file'));
  const backends: AuditBackend[] = [];
  if (auditLogPath !== undefined) backends.push(await openLogBackend(auditLogPath, options, shared).catch(usageError('--audit-log-path')));
  if (auditWebhookConfigFile !== undefined) {
    backends.push(await openWebhookBackend(auditWebhookConfigFile, options, shared).catch(usageError('--audit-webhook-config-file')));
  }
  const auditor = new Auditor({ decide: (request) => policy.value(request), backends, groupSuffix, ...shared });
  closers.push(async () => {
    policy.close();
    await auditor.close();
  });
  return auditor;
}

async function openLogBackend(
  path: string,
  { auditLogMaxage, auditLogMaxbackup, auditLogMaxsize }: ServeOptions,
  shared: Pick<OpenAuditorOptions, 'clock' | 'log' | 'metrics'>,
): Promise<AuditBackend> {
  const writer =
    path === '-'
      ? createStandardOutput(process.stdout)
      : await openRotatedFile({
          path,
          maxBytes: auditLogMaxsize * MEGABYTE,
          maxBackups: auditLogMaxbackup,
          maxAgeMs: auditLogMaxage * DAY_MS,
          clock: shared.clock,
        });
  return createLogBackend({ writer, reportLoss: createLossReport('log', shared) });
}

async function openWebhookBackend(
  file: string,
  { groupSuffix, ...flags }: ServeOptions,
  shared: Pick<OpenAuditorOptions, 'clock' | 'log' | 'metrics'>,
): Promise<AuditBackend> {
  return createWebhookBackend({
    client: createWebhookClient(await readWebhookConfig(file), {
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      onMissingSan: () => shared.metrics.webhooksX509MissingSanTotal.with().inc(),
    }),
    groupSuffix,
    reportLoss: createLossReport('webhook', shared),
    clock: shared.clock,
    random: Math.random,
    bufferSize: flags.auditWebhookBatchBufferSize,
    batchMaxSize: flags.auditWebhookBatchMaxSize,
    batchMaxWaitMs: flags.auditWebhookBatchMaxWait,
    initialBackoffMs: flags.auditWebhookInitialBackoff,
  });
}

const usageError =
  (flag: string) =>
  (error: unknown): never => {
    throw new UsageError(`${flag}: ${errorMessage(error)}`);
  };
