/** Records the request as the audit policy says. Without a policy the step does nothing. */
import { isIP } from 'node:net';
import type { Auditor } from '../../audit/auditor.ts';
import type { AuditedRequest, RequestAudit } from '../../audit/request-audit.ts';
import { objectText } from '../../audit/object-text.ts';
import { type Status, StatusError } from '../../apimachinery/status/status-error.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import type { AccessRequest } from '../../authorization/authorizer.ts';
import type { ApiRequest, ApiResponse, FixedResponse, StreamResponse } from '../transports/request.ts';
import { toAccessRequest } from './access-request.ts';
import type { AuthenticatedContext, Filter, RoutedContext } from './context.ts';
import { afterResponse, wrapStreams } from './response-streams.ts';
import { internalError } from './write-status.ts';

export interface AuditOptions {
  /** Absent: nothing is recorded. */
  readonly auditor?: Auditor | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds of a monotonic clock. */
  readonly monotonicNow: () => number;
}

export const audit =
  (options: AuditOptions): Filter<AuthenticatedContext> =>
  (next) => {
    const { auditor } = options;
    if (auditor === undefined) return next;
    return async (context) => {
      const access = toAccessRequest(context, context.user);
      const record = auditor.begin(access, () => describe(context, access, context.user, options));
      if (record === undefined) return next(context);
      context.audit = record;
      record.reach('RequestReceived');
      const isWatch = context.info.isResource && context.info.verb === 'watch';
      let response: ApiResponse;
      try {
        response = await next(context);
      } catch (error) {
        recordStatus(statusOf(error), record);
        if (isWatch) record.reach('ResponseStarted');
        record.reach(error instanceof StatusError ? 'ResponseComplete' : 'Panic');
        throw error;
      }
      record.status = bodyStatus(response) ?? { code: response.code };
      if (isWatch) record.reach('ResponseStarted');
      const recorded = record.wantsResponseObject && !context.longRunning ? recordResponse(response, record, context) : response;
      return afterResponse(recorded, () => record.reach('ResponseComplete'));
    };
  };

/** A request that gets 401. Its answer is the only stage. */
export function auditFailedAuthentication(options: AuditOptions, context: RoutedContext, error: StatusError): void {
  const access = toAccessRequest(context, NOBODY);
  const record = options.auditor?.begin(access, () => describe(context, access, undefined, options));
  if (record === undefined) return;
  recordStatus(error.toStatus(), record);
  record.reach('ResponseStarted');
}

const NOBODY: UserInfo = { name: '', groups: [] };

function describe(
  { request, auditId, startedAt }: RoutedContext,
  access: AccessRequest,
  user: UserInfo | undefined,
  { clock, monotonicNow }: AuditOptions,
): AuditedRequest {
  return {
    auditId,
    uri: request.query === '' ? request.path : `${request.path}?${request.query}`,
    verb: access.verb,
    user,
    sourceIps: sourceIps(request),
    userAgent: request.headers['user-agent'],
    object: access.isResource ? access : undefined,
    receivedMs: clock.now() - (monotonicNow() - startedAt),
  };
}

/** What proxies say, and the address of the connection. */
function sourceIps({ headers, remoteAddress }: ApiRequest): readonly string[] {
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((each) => each.trim());
  const real = (headers['x-real-ip'] ?? '').trim();
  const named = [...forwarded, real].filter((each) => isIP(each) !== 0);
  const last = named.at(-1);
  return last === remoteAddress ? named : [...named, remoteAddress];
}

const statusOf = (error: unknown): Status => (error instanceof StatusError ? error : internalError(error)).toStatus();

/** The response is a Status. */
function recordStatus(status: Status, record: RequestAudit): void {
  record.status = status;
  if (record.wantsResponseObject) record.responseObject = JSON.stringify(status);
}

const STATUS_START = Buffer.from('{"kind":"Status"');

/** The Status that the response is. */
function bodyStatus(response: ApiResponse): Partial<Status> | undefined {
  if (!('body' in response) || response.body[0]?.subarray(0, STATUS_START.length).equals(STATUS_START) !== true) return undefined;
  // The assertion is safe: only the server writes such bodies.
  const status = JSON.parse(Buffer.concat(response.body).toString()) as Status;
  return { code: response.code, ...status };
}

const isJson = ({ headers }: ApiResponse) => String(headers['Content-Type']).startsWith('application/json');

/** Records the body if it is JSON; handlers record what they send in another encoding. */
function recordResponse(response: ApiResponse, record: RequestAudit, { info }: RoutedContext): ApiResponse {
  const hasObject = info.isResource || DISCOVERY.test(info.path);
  if (!isJson(response) || !hasObject) return response;
  return 'body' in response ? recordBody(response, record) : recordStream(response, record);
}

const DISCOVERY = /^\/apis?(?:\/|$)/;

function recordBody(response: FixedResponse, record: RequestAudit): FixedResponse {
  record.responseObject = objectText(response.body, record);
  return response;
}

/** Without the compressed stream: the bytes must pass as they are. */
function recordStream({ gzipStream: _, ...response }: StreamResponse, record: RequestAudit): StreamResponse {
  return wrapStreams(response, (write) => async (writer) => {
    const parts: Uint8Array[] = [];
    await write(teeWriter(writer, parts));
    record.responseObject = objectText(parts, record);
  });
}

/** Copies, since written bytes may be used again. */
const teeWriter = (writer: ResponseWriter, parts: Uint8Array[]): ResponseWriter => ({
  write: (bytes) => {
    parts.push(Buffer.from(bytes));
    return writer.write(bytes);
  },
  drained: () => writer.drained(),
  get queuedBytes() {
    return writer.queuedBytes;
  },
  get closed() {
    return writer.closed;
  },
});
