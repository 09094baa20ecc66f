import type { ApiResponse } from '../rims/request.ts';
import { jsonResponse } from './json-response.ts';
import type { ResourceCall } from './resource-call.ts';

/** An answer with one object, in the form that was agreed on. `json`: the whole object as it is stored, in pieces. */
export const objectResponse = ({ form }: Pick<ResourceCall, 'form'>, code: number, json: readonly Buffer[]): ApiResponse =>
  jsonResponse(code, form === undefined ? json : [form.toObject(json)]);
