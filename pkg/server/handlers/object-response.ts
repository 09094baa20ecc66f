import type { ApiResponse } from '../rims/request.ts';
import { jsonResponse } from './json-response.ts';
import type { ResourceCall } from './resource-call.ts';

/**
 * An answer with one object, in the form that was agreed on. `json`: the whole object as it is stored, in pieces. `alone`: the same in the form,
 * when that is known.
 */
export const objectResponse = ({ form }: Pick<ResourceCall, 'form'>, code: number, json: readonly Buffer[], alone?: Buffer): ApiResponse =>
  form === undefined
    ? jsonResponse(code, json)
    : { code, headers: { 'Content-Type': form.contentType }, body: [alone ?? form.toObject(json)] };
