/** Turns errors of later steps into responses. Logs a stream that fails; the transport then aborts it. */
import type { Log } from '../../observability/logging.ts';
import { type ApiResponse, StreamAborted, type StreamResponse } from '../transports/request.ts';
import type { Filter, IdentifiedContext } from './context.ts';
import { wrapStreams } from './response-streams.ts';
import { logFields, toStatusResponse } from './write-status.ts';

export interface RecoveryOptions {
  readonly log: Log;
}

export const recovery =
  ({ log }: RecoveryOptions): Filter<IdentifiedContext> =>
  (next) =>
  async (context) => {
    try {
      const response = await next(context);
      return 'body' in response ? response : guarded(response, context, log);
    } catch (error) {
      return toStatusResponse(error, context, log);
    }
  };

const guarded = (response: StreamResponse, context: IdentifiedContext, log: Log): ApiResponse =>
  wrapStreams(response, (write) => async (writer) => {
    try {
      await write(writer);
    } catch (error) {
      const fields = logFields(context);
      if (error instanceof StreamAborted) log.debug('response aborted', { ...fields, reason: error.message });
      else log.error('response failed', { ...fields, error });
      throw error;
    }
  });
