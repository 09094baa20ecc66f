/** Representation caches of chunks: accounting, and transfer to new chunks after a write. */
import type { CacheSpace } from '../representations/cache-budget.ts';
import { toItem } from '../representations/compose.ts';
import type { ItemTemplate, Representation } from '../representations/representation.ts';
import { RepresentationCache } from '../representations/representation-cache.ts';
import type { CachedObject } from '../watch-cache.ts';
import type { Chunk } from './chunk.ts';
import type { Entry } from './entry.ts';

export interface EntryPosition {
  readonly chunk: Chunk;
  readonly index: number;
}

/** The cache of the chunk in this representation; undefined if the chunk was superseded. */
export function cacheIn(chunk: Chunk, representation: Representation): RepresentationCache | undefined {
  const cache = chunk.caches.get(representation);
  if (cache !== undefined || chunk.isSuperseded) return cache;
  const created = new RepresentationCache(new Array<undefined>(chunk.entries.length).fill(undefined));
  chunk.setCache(representation, created);
  return created;
}

/** Counts the cache in the budget; call it again after the cache has grown. */
export function countCache(cacheSpace: CacheSpace, chunk: Chunk, representation: Representation, cache: RepresentationCache): void {
  if (chunk.caches.get(representation) !== cache) return;
  cacheSpace.count(cache, cache.bytes, () => {
    chunk.removeCache(representation, cache);
    cache.deflated.close(cacheSpace);
  });
}

/** The item of an object, cached with its chunk; not cached if `position` is undefined, since it was replaced. */
export function itemOf(
  object: CachedObject,
  position: EntryPosition | undefined,
  representation: Representation,
  cacheSpace: CacheSpace,
): ItemTemplate {
  const cache = position === undefined ? undefined : cacheIn(position.chunk, representation);
  if (position === undefined || cache === undefined) return toItem(representation, object.itemBytes);
  const cached = cache.item(position.index);
  if (cached !== undefined) {
    cacheSpace.touch(cache);
    return cached;
  }
  const item = toItem(representation, object.itemBytes);
  cache.add(position.index, item);
  countCache(cacheSpace, position.chunk, representation, cache);
  return item;
}

/** Transfers cached items of entries that are in both. `chunks` replace `replaced`, in the same key order. */
export function carryCaches(replaced: readonly Chunk[], chunks: readonly Chunk[], cacheSpace: CacheSpace): void {
  const representations = new Set(replaced.flatMap((chunk) => [...chunk.caches.keys()]));
  for (const representation of representations) {
    const itemsFor = cachedItems(replaced, representation);
    for (const chunk of chunks) {
      const cache = new RepresentationCache(itemsFor(chunk));
      if (cache.isEmpty) continue;
      chunk.setCache(representation, cache);
      countCache(cacheSpace, chunk, representation, cache);
    }
  }
}

/** The cached items for the entries of new chunks, which must be requested in order. */
function cachedItems(replaced: readonly Chunk[], representation: Representation): (chunk: Chunk) => (ItemTemplate | undefined)[] {
  const cached: { readonly entry: Entry; readonly item: ItemTemplate }[] = [];
  for (const chunk of replaced) {
    const cache = chunk.caches.get(representation);
    for (const [index, entry] of chunk.entries.entries()) {
      const item = cache?.item(index);
      if (item !== undefined) cached.push({ entry, item });
    }
  }
  let at = 0;
  return ({ entries }) =>
    entries.map((entry) => {
      for (let next = cached[at]; next !== undefined && next.entry !== entry && next.entry.key <= entry.key;) next = cached[++at];
      const next = cached[at];
      if (next?.entry !== entry) return undefined;
      at++;
      return next.item;
    });
}
