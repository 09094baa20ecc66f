/** PUT of an object or its status. */
import type { Authorizer } from '../../authorization/authorizer.ts';
import { assertMayCreate } from './may-create.ts';
import { objectResponse } from './object-response.ts';
import { parseObject, readBody } from './read-object.ts';
import type { ResourceHandler } from './resource-call.ts';
import { parseWriteOptions } from './write-options.ts';

export interface ReplaceHandlerOptions {
  /** Checks access again when a replace would create. */
  readonly authorizer: Authorizer;
}

export const createReplace =
  ({ authorizer }: ReplaceHandlerOptions): ResourceHandler =>
  async (call) => {
    const { context, info, resource } = call;
    const body = await readBody(call);
    const { fieldValidation, ...options } = parseWriteOptions(context.query, context.request.headers['user-agent'], 'UpdateOptions');
    const object = parseObject(call, body, fieldValidation);
    const write = {
      ...options,
      user: context.user,
      signal: context.signal,
      mayCreate: () => assertMayCreate(authorizer, call),
      warn: (text: string) => context.warn(text),
    };
    const { outcome, object: stored } = await resource.store.update(info, info.subresource, { by: 'replace', object }, write);
    return objectResponse(call, outcome === 'created' ? 201 : 200, stored.json);
  };
