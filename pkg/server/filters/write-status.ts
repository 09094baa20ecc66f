/** Converts errors to Status responses. Logs unexpected errors and causes that are hidden from the client. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Log } from '../../observability/logging.ts';
import { statusResponse } from '../responses/status-response.ts';
import type { FixedResponse } from '../transports/request.ts';
import type { IdentifiedContext } from './context.ts';

export function toStatusResponse(thrown: unknown, context: IdentifiedContext, log: Log): FixedResponse {
  if (!(thrown instanceof StatusError)) {
    log.error('request failed unexpectedly', { ...logFields(context), error: asError(thrown) });
    return statusResponse(internalError(thrown));
  }
  if (thrown.code >= 500 && thrown.cause !== undefined) {
    log.warn(thrown.message, { ...logFields(context), cause: asError(thrown.cause).message });
  }
  return statusResponse(thrown);
}

export const logFields = ({ request: { method, path }, auditId }: IdentifiedContext) => ({ method, path, auditId });

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Omits the original message, which the client may not be allowed to see. */
export const internalError = (thrown: unknown) =>
  new StatusError('InternalError', 'Internal error occurred: the request failed; see the log of the server', {
    details: { causes: [{ reason: 'InternalError', message: 'see the log of the server' }] },
    cause: thrown,
  });
