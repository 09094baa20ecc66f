/** GET of one object. A status subresource reads as the whole object. */
import { jsonResponse } from './json-response.ts';
import { parseGetOptions } from './list-options.ts';
import type { Handler } from './resource-call.ts';

export const get: Handler = async ({ context, info, resource }) => {
  const { json } = await resource.store.get(info, parseGetOptions(context.query), context.signal);
  return jsonResponse(200, json);
};
