/** PUT of an object or its status. */
import { objectResponse } from './object-response.ts';
import { parseObject, readBody } from './read-object.ts';
import type { Handler } from './resource-call.ts';
import { parseWriteOptions } from './write-options.ts';

export const replace: Handler = async (call) => {
  const { context, info, resource } = call;
  const body = await readBody(call);
  const { fieldValidation, ...options } = parseWriteOptions(context.query, context.request.headers['user-agent'], 'UpdateOptions');
  const object = parseObject(call, body, fieldValidation);
  const subresource = info.subresource === 'status' ? 'status' : '';
  const { outcome, object: stored } = await resource.store.update(
    info,
    subresource,
    { by: 'replace', object },
    {
      ...options,
      signal: context.signal,
      warn: (text) => context.warn(text),
    },
  );
  return objectResponse(call, outcome === 'created' ? 201 : 200, stored.json);
};
