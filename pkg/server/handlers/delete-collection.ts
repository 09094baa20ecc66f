/**
 * DELETE of a collection: deletes each selected object as a single DELETE would. Stops at the first failure, with some
 * objects deleted. Skips objects that by then are deleted, replaced or no longer selected.
 */
import type { Features } from '../../apimachinery/features/features.ts';
import { badRequest, StatusError } from '../../apimachinery/status/status-error.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { UNREADABLE_ONLY } from '../../registry/delete-unreadable.ts';
import type { CachedObject, ListResult } from '../../registry/object-store.ts';
import type { FixedResponse } from '../transports/request.ts';
import type { Query } from '../filters/query.ts';
import { statusBody } from '../responses/status-response.ts';
import { type DeleteOptions, type DeleteOptionsReader, parseDeleteOptions } from './delete-options.ts';
import type { DeleteHandlerOptions } from './delete.ts';
import { parseListOptions } from './list-options.ts';
import { invalidValue, throwOptionCauses } from './option-checks.ts';
import { readOptionalBody } from './read-object.ts';
import type { ResourceHandler, ResourceCall } from './resource-call.ts';
import { managerOf } from './write-options.ts';

const PAGE_OBJECTS = 500;
/** Concurrent deletes: enough to fill one synced commit of the store. */
const PARALLEL = 8;

export const createDeleteCollection =
  ({ features, ...reader }: DeleteHandlerOptions): ResourceHandler =>
  async (call) => {
    const { context, info, resource } = call;
    refuseIgnoredShard(context.query, features);
    const { unreadable, ...options } = await readDeleteOptions(call, reader, features);
    if (unreadable === true)
      throwOptionCauses('DeleteOptions', [invalidValue(UNREADABLE_ONLY, 'true', 'requires the name of a single object')]);
    const { timeoutMs, limit, ...query } = parseListOptions(context.query, resource.kind, info, features, true);
    if (timeoutMs !== undefined) context.shortenDeadline(timeoutMs);
    const fieldManager = managerOf(context.request.headers['user-agent']);
    const remove = async ({ namespace, name, uid }: Named) => {
      const found = { uid, by: query.selection };
      try {
        await resource.store.delete({ namespace, name }, { ...options, found, fieldManager, signal: context.signal });
      } catch (error) {
        if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
      }
    };

    let next = query;
    for (;;) {
      const found = await resource.store.list({ ...next, limit: limit > 0 ? limit : PAGE_OBJECTS }, context.signal);
      // Only names, so that the bytes of a page are not retained during the deletes.
      const named = Array.from(found.page.objects, ({ namespace, name, uid }): Named => ({ namespace, name, uid }));
      await eachInParallel(named, remove);
      const { continueToken } = found;
      if (continueToken === undefined || limit > 0) return answer(resource.kind.definition, found);
      next = { ...query, at: { at: 'newest' }, continueToken };
    }
  };

type Named = Pick<CachedObject, 'namespace' | 'name' | 'uid'>;

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

/** Rejects with the first failure, after all running calls have ended. */
async function eachInParallel(each: readonly Named[], run: (one: Named) => Promise<void>): Promise<void> {
  const remaining = each.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const one of remaining) {
      if (failures.length > 0) return;
      await run(one).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  if (failures.length > 0) throw failures[0];
}
