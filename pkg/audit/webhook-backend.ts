/**
 * Sends Events to a webhook in batches (EventList of audit/v1). A batch that fails is sent again, with growing pauses;
 * what does not fit into the buffer meanwhile is lost and counted. Numbers are those of kube-apiserver.
 */
import type { Clock } from '../apimachinery/time/clock.ts';
import type { WebhookClient } from '../webhook/webhook-client.ts';
import type { AuditBackend, ReportLoss } from './audit-backend.ts';

export interface WebhookBackendOptions {
  readonly client: WebhookClient;
  readonly groupSuffix: string;
  readonly reportLoss: ReportLoss;
  readonly clock: Pick<Clock, 'sleep'>;
  /** In [0, 1). */
  readonly random: () => number;
  /** How many Events wait at most. */
  readonly bufferSize: number;
  readonly batchMaxSize: number;
  /** How long an Event waits for others. */
  readonly batchMaxWaitMs: number;
  /** The first pause after a failure. */
  readonly initialBackoffMs: number;
}

const ATTEMPTS = 5;
const BACKOFF_FACTOR = 1.5;
const BACKOFF_JITTER = 0.2;
/** Batches that are under way at a time. */
const MAX_SENDING = 15;

export function createWebhookBackend(options: WebhookBackendOptions): AuditBackend {
  const { client, groupSuffix, reportLoss, clock, random, bufferSize, batchMaxSize, batchMaxWaitMs, initialBackoffMs } = options;
  const sending = new Set<Promise<void>>();
  const closing = new AbortController();
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const send = async (events: readonly string[]): Promise<void> => {
    const list = `{"kind":"EventList","apiVersion":"audit.${groupSuffix}/v1","metadata":{},"items":[${events.join(',')}]}`;
    let pauseMs = initialBackoffMs;
    for (let attempt = 1; ; attempt++) {
      try {
        await client.post(list);
        return;
      } catch (error) {
        // At shutdown there is no time for another attempt.
        if (attempt === ATTEMPTS || closing.signal.aborted) {
          reportLoss(events.length, error instanceof Error ? error : new Error(String(error)));
          return;
        }
        await clock.sleep(pauseMs * (1 + random() * BACKOFF_JITTER), closing.signal);
        pauseMs *= BACKOFF_FACTOR;
      }
    }
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && sending.size < MAX_SENDING) {
      const batch = waiting.slice(0, batchMaxSize);
      waiting = waiting.slice(batchMaxSize);
      const sent = send(batch).finally(() => {
        sending.delete(sent);
        if (waiting.length >= batchMaxSize || closing.signal.aborted) flush();
        else schedule();
      });
      sending.add(sent);
    }
  };

  const schedule = (): void => {
    if (waiting.length > 0) timer ??= setTimeout(flush, batchMaxWaitMs);
  };

  return {
    name: 'webhook',
    process: (event) => {
      if (waiting.length >= bufferSize) {
        reportLoss(1, new Error('the buffer is full'));
        return;
      }
      waiting.push(event);
      if (waiting.length >= batchMaxSize) flush();
      else schedule();
    },
    close: async () => {
      closing.abort();
      flush();
      while (sending.size > 0) await Promise.all(sending);
      client.close();
    },
  };
}
