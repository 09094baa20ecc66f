import { auditResponseObject } from './audit-objects.ts';
import type { ApiResponse } from '../transports/request.ts';
import { jsonResponse } from './json-response.ts';
import type { ResourceCall } from './resource-call.ts';

/** A response with one object, as negotiated. `json`: as stored. `singleObject`: cached in the representation. */
export function objectResponse(
  { context, representation }: Pick<ResourceCall, 'context' | 'representation'>,
  code: number,
  json: readonly Buffer[],
  singleObject?: Buffer,
): ApiResponse {
  auditResponseObject(context, json);
  return representation === undefined
    ? jsonResponse(code, json)
    : { code, headers: { 'Content-Type': representation.contentType }, body: [singleObject ?? representation.toObject(json)] };
}
