/** POST of a collection. */
import { objectResponse } from './object-response.ts';
import { parseObject, readBody } from './read-object.ts';
import type { ResourceHandler } from './resource-call.ts';
import { parseWriteOptions } from './write-options.ts';

export const create: ResourceHandler = async (call) => {
  const { context, info, resource } = call;
  const body = await readBody(call);
  const { fieldValidation, ...options } = parseWriteOptions(context.query, context.request.headers['user-agent'], 'CreateOptions');
  const object = parseObject(call, body, fieldValidation);
  const { object: created } = await resource.store.create(info.namespace, object, {
    ...options,
    user: context.user,
    signal: context.signal,
    warn: (text) => context.warn(text),
  });
  return objectResponse(call, 201, created.json);
};
