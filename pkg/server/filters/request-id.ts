/** Gives the request its id and writes the headers that every answer has. */
import type { ApiResponse } from '../transports/request.ts';
import type { Filter, RequestContext } from './context.ts';
import { warningHeader } from './warnings.ts';

export interface RequestIdOptions {
  readonly newUid: () => string;
}

// A client may bring its own, as long as it can stand in a header and a log line.
const CLIENT_ID = /^[A-Za-z0-9._:-]{1,64}$/;

export const requestId =
  ({ newUid }: RequestIdOptions): Filter =>
  (next) =>
  async (context) => {
    const sent = context.request.headers['audit-id'];
    context.auditId = sent !== undefined && CLIENT_ID.test(sent) ? sent : newUid();
    const answer = await next(context);
    addCommonHeaders(answer, context);
    return answer;
  };

function addCommonHeaders({ headers }: ApiResponse, context: RequestContext): void {
  headers['Audit-Id'] = context.auditId;
  headers['Cache-Control'] ??= 'no-cache, private';
  if (context.warnings.length > 0) headers['Warning'] = warningHeader(context.warnings);
}
