/**
 * DELETE of a collection. Stops at the first failure, with some objects deleted.
 */
import type { Features } from '../../apimachinery/features/features.ts';
import { invalidValue } from '../../apimachinery/status/causes.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { deleteCollection } from '../../registry/delete-collection.ts';
import { UNREADABLE_ONLY } from '../../registry/delete-unreadable.ts';
import type { ListResult } from '../../registry/object-store.ts';
import type { FixedResponse } from '../transports/request.ts';
import type { Query } from '../filters/query.ts';
import { statusBody } from '../responses/status-response.ts';
import { type DeleteOptions, type DeleteOptionsReader, parseDeleteOptions } from './delete-options.ts';
import { type DeleteHandlerOptions, warnOfDefaultPropagation } from './delete.ts';
import { parseListOptions } from './list-options.ts';
import { throwOptionCauses } from './option-checks.ts';
import { readOptionalBody } from './read-object.ts';
import type { ResourceHandler, ResourceCall } from './resource-call.ts';
import { managerOf } from './write-options.ts';

export const createDeleteCollection =
  ({ features, ...reader }: DeleteHandlerOptions): ResourceHandler =>
  async (call) => {
    const { context, info, resource } = call;
    refuseIgnoredShard(context.query, features);
    const { timeoutMs, limit, ...query } = parseListOptions(context.query, resource.kind, info, features, true);
    const { unreadable, ...options } = await readDeleteOptions(call, reader, features);
    if (unreadable === true) throwOptionCauses('DeleteOptions', [invalidValue(UNREADABLE_ONLY, true, NOT_OF_A_COLLECTION)]);
    if (timeoutMs !== undefined) context.shortenDeadline(timeoutMs);
    warnOfDefaultPropagation(call, options);
    const fieldManager = managerOf(context.request.headers['user-agent']);
    const request = { ...options, fieldManager, user: context.user, signal: context.signal };
    const last = await deleteCollection(resource.store, { ...query, limit }, request);
    return answer(resource.kind.definition, last);
  };

const NOT_OF_A_COLLECTION = 'is not allowed with DELETECOLLECTION, try again after removing the option';

/** `resourceVersion` in the query selects the listed state; as a precondition it counts only in the body. */
async function readDeleteOptions(call: ResourceCall, reader: DeleteOptionsReader, features: Features): Promise<DeleteOptions> {
  const body = await readOptionalBody(call);
  const options = parseDeleteOptions(body, call.context.query, reader, features);
  if (body.bytes.byteLength > 0) return options;
  const { uid } = options.preconditions;
  return { ...options, preconditions: uid === undefined ? {} : { uid } };
}

/** With a limit, `continue` leads to the remaining objects. */
function answer({ group, resource }: ResourceDefinition, { continueToken, remainingItemCount }: ListResult): FixedResponse {
  const metadata = {
    ...(continueToken === undefined ? {} : { continue: continueToken }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
  return statusBody(200, { kind: 'Status', apiVersion: 'v1', metadata, status: 'Success', details: { group, kind: resource } });
}

/** Listing more than requested is harmless; deleting more is not. */
function refuseIgnoredShard(query: Query, features: Features): void {
  if ((query.first('shardSelector') ?? '') === '' || features.isEnabled('ShardedListAndWatch')) return;
  throw badRequest('shardSelector: the feature gate ShardedListAndWatch is off: objects outside the shard would also be deleted');
}
