/**
 * DELETE of a collection: the objects that the query selects, each deleted as by a DELETE of its own. The first failure ends it with part
 * done; what is gone already is skipped.
 */
import type { Features } from '../../apimachinery/features/features.ts';
import { badRequest, StatusError } from '../../apimachinery/status/status-error.ts';
import type { ObjectName } from '../../registry/object-store.ts';
import type { Query } from '../shell/query.ts';
import { statusBody } from '../shell/write-status.ts';
import { type DeleteOptionsReader, parseDeleteOptions } from './delete-options.ts';
import { parseListOptions } from './list-options.ts';
import { readOptionalBody } from './read-object.ts';
import type { Handler } from './resource-call.ts';
import { managerOf } from './write-options.ts';

const PAGE_OBJECTS = 500;
/** Deletes under way at a time: enough to fill one synced commit of the store. */
const PARALLEL = 8;

export interface DeleteCollectionOptions extends DeleteOptionsReader {
  readonly features: Features;
}

export const createDeleteCollection =
  ({ features, ...reader }: DeleteCollectionOptions): Handler =>
  async (call) => {
    const { context, info, resource } = call;
    refuseUnreadShard(context.query, features);
    const options = parseDeleteOptions(await readOptionalBody(call), context.query, reader);
    const { timeoutMs, limit, ...query } = parseListOptions(context.query, resource.kind, info, features);
    if (timeoutMs !== undefined) context.shortenDeadline(timeoutMs);
    const fieldManager = managerOf(context.request.headers['user-agent']);
    const remove = async (name: ObjectName) => {
      try {
        await resource.store.delete(name, { ...options, fieldManager, signal: context.signal });
      } catch (error) {
        if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
      }
    };

    let next = query;
    for (;;) {
      const found = await resource.store.list({ ...next, limit: limit > 0 ? limit : PAGE_OBJECTS }, context.signal);
      await eachInParallel(
        Array.from(found.page.objects, ({ namespace, name }) => ({ namespace, name })),
        remove,
      );
      const { continueToken } = found;
      if (continueToken === undefined || limit > 0) {
        const metadata = continueToken === undefined ? {} : { continue: continueToken };
        return statusBody(200, { kind: 'Status', apiVersion: 'v1', metadata, status: 'Success' });
      }
      next = { ...query, at: { at: 'newest' }, continueToken };
    }
  };

/** A list may show more than it was asked for; a delete of more than that cannot be taken back. */
function refuseUnreadShard(query: Query, features: Features): void {
  if ((query.first('shardSelector') ?? '') === '' || features.isEnabled('ShardedListAndWatch')) return;
  throw badRequest('shardSelector: the feature gate ShardedListAndWatch is off: objects outside of the shard would be deleted, too');
}

async function eachInParallel(names: readonly ObjectName[], run: (name: ObjectName) => Promise<void>): Promise<void> {
  const left = names.values();
  const worker = async () => {
    for (const name of left) await run(name);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
