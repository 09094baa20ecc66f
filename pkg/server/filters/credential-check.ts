/** Ends watches whose sender has lost the credentials: an expired certificate, a revoked token, a deleted account. */
import { ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Authenticator, UserInfo } from '../../authentication/authenticator.ts';
import { refusalOf } from '../../authentication/unauthorized.ts';
import type { Log } from '../../observability/logging.ts';
import type { RequestContext } from './context.ts';
import type { OpenRequests } from './drain.ts';

export interface CredentialCheckOptions {
  readonly openRequests: Pick<OpenRequests, 'longRunning'>;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly log: Log;
  /** After each ended watch. */
  readonly onEnd: () => void;
  readonly signal: AbortSignal;
}

/** With the time in which files are reloaded, well within a minute. 10,000 watches take 60 ms, in slices. */
const EVERY_MS = 5_000;
/** Checks that ask another server at once. */
const MAX_WAITING = 64;
const LOST = new Error('the credentials are no longer valid');

/** Checks all watches every five seconds until `signal` aborts. */
export async function checkCredentials(options: CredentialCheckOptions): Promise<void> {
  const { openRequests, clock, signal } = options;
  for (;;) {
    await clock.sleep(EVERY_MS, signal);
    if (signal.aborted) return;
    await checkAll([...openRequests.longRunning], options);
  }
}

async function checkAll(contexts: readonly RequestContext[], options: CredentialCheckOptions): Promise<void> {
  const [first] = contexts;
  if (first === undefined) return;
  const task = new ScheduledTask(first.scheduler);
  let waiting: Promise<void>[] = [];
  for (const context of contexts) {
    const checked = check(context, options);
    if (checked !== undefined && waiting.push(checked) >= MAX_WAITING) {
      await Promise.all(waiting);
      waiting = [];
    }
    if (task.shouldYield()) await task.yield();
    if (options.signal.aborted) return;
  }
  await Promise.all(waiting);
}

/** Resolves when the check is done; undefined if it is already. */
function check(context: RequestContext, options: CredentialCheckOptions): Promise<void> | undefined {
  const { authenticator, log, onEnd } = options;
  const end = (reason: string) => {
    onEnd();
    log.debug('watch ended, its credentials are no longer valid', { auditId: context.auditId, reason });
    context.abort(LOST);
  };
  const judge = (found: UserInfo | undefined) => {
    const before = context.impersonator ?? context.user;
    if (found === undefined) end('no credentials');
    else if (found.name !== before?.name || found.uid !== before.uid) end('the credentials belong to another user');
  };
  // When an issuer cannot be asked, that does not end watches.
  const judgeError = (error: unknown) => {
    if (!(error instanceof StatusError)) throw error;
    if (error.reason !== 'Unauthorized') return;
    const refusal = refusalOf(error);
    if (!refusal.isUndecided) end(refusal.message);
  };
  try {
    const found = authenticator.authenticate(context.request);
    if (found instanceof Promise) return found.then(judge, judgeError);
    judge(found);
  } catch (error) {
    judgeError(error);
  }
  return undefined;
}
