/** GET of an object. The status subresource returns the whole object. */
import { parseGetOptions } from './list-options.ts';
import { objectResponse } from './object-response.ts';
import type { ResourceHandler } from './resource-call.ts';

export const get: ResourceHandler = async (call) => {
  const { context, info, resource, representation } = call;
  const { json, singleObject } = await resource.store.get(info, parseGetOptions(context.query), context.signal, representation?.items);
  return objectResponse(call, 200, json, singleObject);
};
