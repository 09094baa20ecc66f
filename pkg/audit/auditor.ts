/** Decides about each request whether it is audited, and passes its Events to the backends. */
import type { Clock } from '../apimachinery/time/clock.ts';
import type { AccessRequest } from '../authorization/authorizer.ts';
import type { Log } from '../observability/logging.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { AuditBackend, ReportLoss } from './audit-backend.ts';
import { EventTexts } from './event-texts.ts';
import type { AuditDecider } from './policy.ts';
import { type AuditedRequest, RequestAudit } from './request-audit.ts';

export interface AuditorOptions {
  /** The policy of the moment. */
  readonly decide: AuditDecider;
  readonly backends: readonly AuditBackend[];
  readonly groupSuffix: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Metrics;
}

export class Auditor {
  readonly #options: AuditorOptions;
  readonly #texts = new EventTexts();

  constructor(options: AuditorOptions) {
    this.#options = options;
  }

  /** Undefined: the policy says that nothing is recorded. `describe` is only called otherwise. */
  begin(access: AccessRequest, describe: () => AuditedRequest): RequestAudit | undefined {
    const { decide, metrics, clock, groupSuffix } = this.#options;
    const decision = decide(access);
    metrics.auditLevelTotal.with(decision.level).inc();
    if (decision.level === 'None') return undefined;
    return new RequestAudit(describe(), {
      decision,
      groupSuffix,
      emit: this.#emit,
      nowMs: () => clock.now(),
      texts: this.#texts,
    });
  }

  readonly #emit = (event: string): void => {
    const { backends, metrics } = this.#options;
    metrics.auditEventTotal.with().inc();
    for (const backend of backends) backend.process(event);
  };

  async close(): Promise<void> {
    await Promise.all(this.#options.backends.map((backend) => backend.close()));
  }
}

const REPORT_EVERY_MS = 10_000;

/** Counts each lost Event; tells the log of the first, and then at most every 10 s, since there may be thousands. */
export function createLossReport(
  backend: string,
  { log, metrics, clock }: { log: Log; metrics: Metrics; clock: Pick<Clock, 'now'> },
): ReportLoss {
  let lost = 0;
  let toldAt = -Infinity;
  return (count, error) => {
    metrics.auditErrorTotal.with(backend).inc(count);
    lost += count;
    if (clock.now() - toldAt < REPORT_EVERY_MS) return;
    toldAt = clock.now();
    log.error('audit events lost', { backend, lost, error });
  };
}
