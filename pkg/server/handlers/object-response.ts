import type { ApiResponse } from '../transports/request.ts';
import { jsonResponse } from './json-response.ts';
import type { ResourceCall } from './resource-call.ts';

/** A response with one object, as negotiated. `json`: as stored. `singleObject`: cached in the representation. */
export const objectResponse = (
  { representation }: Pick<ResourceCall, 'representation'>,
  code: number,
  json: readonly Buffer[],
  singleObject?: Buffer,
): ApiResponse =>
  representation === undefined
    ? jsonResponse(code, json)
    : { code, headers: { 'Content-Type': representation.contentType }, body: [singleObject ?? representation.toObject(json)] };
