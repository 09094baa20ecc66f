/** Whatever a later step throws becomes an answer; the process lives on. A stream that fails half-way is logged here and broken off by the transport. */
import type { Log } from '../../observability/logging.ts';
import { StreamBrokenOff } from '../transports/request.ts';
import type { ApiResponse } from '../transports/request.ts';
import type { Filter, RequestContext } from './context.ts';
import { toStatusResponse } from './write-status.ts';

export interface RecoveryOptions {
  readonly log: Log;
}

export const recovery =
  ({ log }: RecoveryOptions): Filter =>
  (next) =>
  async (context) => {
    try {
      const answer = await next(context);
      return 'body' in answer ? answer : guarded(answer, context, log);
    } catch (error) {
      return toStatusResponse(error, context, log);
    }
  };

const guarded = (answer: Extract<ApiResponse, { stream: unknown }>, context: RequestContext, log: Log): ApiResponse => ({
  ...answer,
  stream: async (writer) => {
    try {
      await answer.stream(writer);
    } catch (error) {
      const { method, path } = context.request;
      if (error instanceof StreamBrokenOff)
        log.debug('an answer was broken off', { method, path, auditId: context.auditId, why: error.message });
      else log.error('an answer broke off', { method, path, auditId: context.auditId, error });
      throw error;
    }
  },
});
