/**
 * Ends requests that take too long. A watch has its own deadline and ends normally. Any other request gets 504, or is
 * aborted when its response is partly sent.
 */
import { badRequest, StatusError } from '../../apimachinery/status/status-error.ts';
import type { ApiResponse, StreamResponse } from '../transports/request.ts';
import type { Filter, RequestContext } from './context.ts';
import { parseDurationMs } from './duration.ts';
import { wrapStreams } from './response-streams.ts';

export interface DeadlineOptions {
  readonly requestTimeoutMs: number;
}

const timedOut = () =>
  new StatusError('Timeout', 'request did not complete within the allotted timeout', { details: { retryAfterSeconds: 1 } });

export const deadline =
  ({ requestTimeoutMs }: DeadlineOptions): Filter =>
  (next) =>
  (context) =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        context.clearDeadline();
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      context.setDeadline(timeoutOf(context, requestTimeoutMs), () => reject(timedOut()));
      try {
        next(context).then((response) => {
          if ('body' in response) context.clearDeadline();
          resolve('body' in response ? response : boundedStream(response, context));
        }, fail);
      } catch (error) {
        fail(error); // a step may throw synchronously
      }
    });

/** The `timeout` parameter can only shorten the server's limit; 0 means that limit. */
function timeoutOf(context: RequestContext, maxMs: number): number {
  if (context.request.query === '') return maxMs;
  const requested = context.query.first('timeout');
  if (requested === undefined || requested === '') return maxMs;
  const ms = parseDurationMs(requested);
  if (ms === undefined) throw badRequest('invalid timeout specified in the request URL');
  return ms > 0 && ms < maxMs ? ms : maxMs;
}

/** A watch ends by itself when its signal aborts; any other stream is aborted. */
const boundedStream = (response: StreamResponse, context: RequestContext): ApiResponse =>
  wrapStreams(response, (write) => (writer) => {
    const written = write(writer).finally(() => context.clearDeadline());
    return context.longRunning ? written : Promise.race([written, context.deadlineReached()]);
  });
