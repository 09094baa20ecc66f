import type { ApiResponse } from '../transports/request.ts';
import { jsonResponse } from './json-response.ts';
import type { ResourceCall } from './resource-call.ts';

/**
 * An answer with one object, in the representation that was agreed on. `json`: the whole object as it is stored, in
 * pieces. `singleObject`: the same in the representation, when that is known.
 */
export const objectResponse = (
  { representation }: Pick<ResourceCall, 'representation'>,
  code: number,
  json: readonly Buffer[],
  singleObject?: Buffer,
): ApiResponse =>
  representation === undefined
    ? jsonResponse(code, json)
    : { code, headers: { 'Content-Type': representation.contentType }, body: [singleObject ?? representation.toObject(json)] };
