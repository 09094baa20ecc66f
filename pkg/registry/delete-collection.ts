/** Deletes selected objects, each as a single delete would. */
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { CachedObject, DeleteRequest, ListQuery, ListResult, ObjectStore } from './object-store.ts';

const PAGE_OBJECTS = 500;
/** Concurrent deletes: enough to fill one synced commit of the store. */
const PARALLEL = 8;

/**
 * Stops at the first failure, with some objects deleted. Skips objects that by then are deleted, replaced or no longer
 * selected. `query.limit` above 0: only the first page. Returns the last page.
 */
export async function deleteCollection(store: ObjectStore, query: ListQuery, request: Omit<DeleteRequest, 'found'>): Promise<ListResult> {
  const { limit } = query;
  const remove = async ({ namespace, name, uid }: Named) => {
    try {
      await store.delete({ namespace, name }, { ...request, found: { uid, by: query.selection } });
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
    }
  };
  let next = query;
  for (;;) {
    const found = await store.list({ ...next, limit: limit > 0 ? limit : PAGE_OBJECTS }, request.signal);
    // Only names, so that the bytes of a page are not retained during the deletes.
    const named = Array.from(found.page.objects, ({ namespace, name, uid }): Named => ({ namespace, name, uid }));
    await eachInParallel(named, remove);
    const { continueToken } = found;
    if (continueToken === undefined || limit > 0) return found;
    next = { ...query, at: { at: 'newest' }, continueToken };
  }
}

type Named = Pick<CachedObject, 'namespace' | 'name' | 'uid'>;

/** Rejects with the first failure, after all running calls have ended. */
export async function eachInParallel<T>(each: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
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
