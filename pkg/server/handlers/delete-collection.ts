/**
 * DELETE of a collection: the objects that the query selects, each deleted as by a DELETE of its own. The first failure
 * ends it with part done; what is gone already is skipped, and so is an object that is selected no more, or was put in
 * the place of the one that was, by the time its turn comes.
 */
import type { Features } from '../../apimachinery/features/features.ts';
import { badRequest, StatusError } from '../../apimachinery/status/status-error.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { UNREADABLE_ONLY } from '../../registry/delete-unreadable.ts';
import type { CachedObject, ListResult } from '../../registry/object-store.ts';
import type { FixedResponse } from '../transports/request.ts';
import type { Query } from '../filters/query.ts';
import { statusBody } from '../filters/write-status.ts';
import { type DeleteOptions, type DeleteOptionsReader, parseDeleteOptions } from './delete-options.ts';
import type { DeleteHandlerOptions } from './delete.ts';
import { parseListOptions } from './list-options.ts';
import { invalidValue, throwOptionCauses } from './option-checks.ts';
import { readOptionalBody } from './read-object.ts';
import type { ResourceHandler, ResourceCall } from './resource-call.ts';
import { managerOf } from './write-options.ts';

const PAGE_OBJECTS = 500;
/** Deletes under way at a time: enough to fill one synced commit of the store. */
const PARALLEL = 8;

export const createDeleteCollection =
  ({ features, ...reader }: DeleteHandlerOptions): ResourceHandler =>
  async (call) => {
    const { context, info, resource } = call;
    refuseUnreadShard(context.query, features);
    const { unreadable, ...options } = await readDeleteOptions(call, reader, features);
    if (unreadable === true)
      throwOptionCauses('DeleteOptions', [invalidValue(UNREADABLE_ONLY, 'true', 'is for one object by its name, not for a collection')]);
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
      // Names alone: the deletes must not keep the bytes of a page alive.
      const named = Array.from(found.page.objects, ({ namespace, name, uid }): Named => ({ namespace, name, uid }));
      await eachInParallel(named, remove);
      const { continueToken } = found;
      if (continueToken === undefined || limit > 0) return answer(resource.kind.definition, found);
      next = { ...query, at: { at: 'newest' }, continueToken };
    }
  };

type Named = Pick<CachedObject, 'namespace' | 'name' | 'uid'>;

/**
 * In the query `resourceVersion` says which state is listed; a precondition on every object's is one of the body alone.
 */
async function readDeleteOptions(call: ResourceCall, reader: DeleteOptionsReader, features: Features): Promise<DeleteOptions> {
  const body = await readOptionalBody(call);
  const options = parseDeleteOptions(body, call.context.query, reader, features);
  if (body.bytes.byteLength > 0) return options;
  const { uid } = options.preconditions;
  return { ...options, preconditions: uid === undefined ? {} : { uid } };
}

/** With a limit, `continue` leads on to the rest. */
function answer({ group, resource }: ResourceDefinition, { continueToken, remainingItemCount }: ListResult): FixedResponse {
  const metadata = {
    ...(continueToken === undefined ? {} : { continue: continueToken }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
  return statusBody(200, { kind: 'Status', apiVersion: 'v1', metadata, status: 'Success', details: { group, kind: resource } });
}

/** A list may show more than it was asked for; a delete of more than that cannot be taken back. */
function refuseUnreadShard(query: Query, features: Features): void {
  if ((query.first('shardSelector') ?? '') === '' || features.isEnabled('ShardedListAndWatch')) return;
  throw badRequest('shardSelector: the feature gate ShardedListAndWatch is off: objects outside of the shard would be deleted, too');
}

/** Resolves, or throws the first failure, when nothing is under way any more. */
async function eachInParallel(each: readonly Named[], run: (one: Named) => Promise<void>): Promise<void> {
  const left = each.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const one of left) {
      if (failures.length > 0) return;
      await run(one).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  if (failures.length > 0) throw failures[0];
}
