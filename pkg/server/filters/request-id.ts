/** Assigns the request id and adds the headers that every response has. */
import type { ApiResponse } from '../transports/request.ts';
import type { IdentifiedContext, ContextFilter, RequestContext } from './context.ts';
import { warningHeader } from './warnings.ts';

export interface RequestIdOptions {
  readonly newUid: () => string;
  /** Value of the header Strict-Transport-Security. Default: no such header. */
  readonly strictTransportSecurity?: string | undefined;
}

// A client may send its own id if it fits into a header and a log line.
const CLIENT_ID = /^[A-Za-z0-9._:-]{1,64}$/;

export const requestId =
  ({ newUid, strictTransportSecurity }: RequestIdOptions): ContextFilter<RequestContext, IdentifiedContext> =>
  (next) =>
  async (context) => {
    const sent = context.request.headers['audit-id'];
    const identified = Object.assign(context, { auditId: sent !== undefined && CLIENT_ID.test(sent) ? sent : newUid() });
    const response = await next(identified);
    addCommonHeaders(response, identified);
    // Browsers ignore it on plain HTTP (RFC 6797 §7.2).
    if (strictTransportSecurity !== undefined && context.request.secure)
      response.headers['Strict-Transport-Security'] = strictTransportSecurity;
    return response;
  };

function addCommonHeaders({ headers }: ApiResponse, { auditId, warnings, flow }: IdentifiedContext): void {
  headers['Audit-Id'] = auditId;
  headers['Cache-Control'] ??= 'no-cache, private';
  if (flow !== undefined) {
    headers['X-Kubernetes-PF-FlowSchema-UID'] = flow.flowSchemaUid;
    headers['X-Kubernetes-PF-PriorityLevel-UID'] = flow.priorityLevelUid;
  }
  if (warnings.length > 0) headers['Warning'] = warningHeader(warnings);
}
