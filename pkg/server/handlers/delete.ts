/** DELETE of one object. */
import type { Features } from '../../apimachinery/features/features.ts';
import { groupDetail, objectForbidden } from '../../apimachinery/status/status-error.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { DeleteResult } from '../../registry/object-store.ts';
import { authorizedNamespace } from '../filters/parse-request-info.ts';
import type { ApiResponse } from '../transports/request.ts';
import { statusBody } from '../responses/status-response.ts';
import { type DeleteOptions, type DeleteOptionsReader, parseDeleteOptions } from './delete-options.ts';
import { objectResponse } from './object-response.ts';
import { readOptionalBody } from './read-object.ts';
import type { ResourceHandler, ResourceCall } from './resource-call.ts';
import { managerOf } from './write-options.ts';

export interface DeleteHandlerOptions extends DeleteOptionsReader {
  readonly features: Features;
  /** Checks access again when an unreadable object is deleted. */
  readonly authorizer: Authorizer;
}

export const createDelete =
  ({ features, authorizer, ...reader }: DeleteHandlerOptions): ResourceHandler =>
  async (call) => {
    const { context, info, resource } = call;
    const { unreadable, ...options } = parseDeleteOptions(await readOptionalBody(call), context.query, reader, features);
    const fieldManager = managerOf(context.request.headers['user-agent']);
    if (unreadable === true) {
      await assertMayDeleteUnreadable(authorizer, call);
      await resource.store.deleteUnreadable(info, { dryRun: false, fieldManager, user: context.user, signal: context.signal });
      return removed(call);
    }
    warnOfDefaultPropagation(call, options);
    const result = await resource.store.delete(info, { ...options, fieldManager, user: context.user, signal: context.signal });
    return deleteAnswer(call, result);
  };

/** Also for an object that does not exist, or a collection without objects. */
export function warnOfDefaultPropagation({ context, resource }: ResourceCall, options: DeleteOptions): void {
  const { warnOnDefaultPropagation: warning } = resource.kind.strategy;
  if (warning === undefined || options.propagationPolicy !== undefined || options.orphanDependents !== undefined) return;
  context.warn(warning);
}

const UNSAFE_DELETE = 'unsafe-delete-ignore-read-errors';

async function assertMayDeleteUnreadable(authorizer: Authorizer, { context: { user }, info }: ResourceCall): Promise<void> {
  const { group, version, resource, name } = info;
  const namespace = authorizedNamespace(info);
  const request = { isResource: true, user, verb: UNSAFE_DELETE, group, version, resource, subresource: '', namespace, name } as const;
  const { decision, reason = '', error } = await authorizer.authorize(request);
  if (error !== undefined) throw objectForbidden(info, name, `error while checking permission for "${UNSAFE_DELETE}", ${error}`);
  if (decision !== 'allow') throw objectForbidden(info, name, `not permitted to do "${UNSAFE_DELETE}", reason: ${reason}`);
}

function deleteAnswer(call: ResourceCall, result: DeleteResult): ApiResponse {
  const { strategy } = call.resource.kind;
  if (result.outcome === 'held') return objectResponse(call, result.accepted ? 202 : 200, result.object.json);
  if (strategy.deleteReturnsObject === true) return objectResponse(call, 200, result.object.json);
  return removed(call, result.uid);
}

/** `uid` absent: unknown. */
function removed({ info, resource }: ResourceCall, uid?: string): ApiResponse {
  const { group, resource: kind } = resource.kind.definition;
  const details = { name: info.name, ...groupDetail(group), kind, ...(uid === undefined ? {} : { uid }) };
  return statusBody(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
}
