/** What chunks remember of derived representations: how it stays within the budget, and how it outlives a write. */
import { type ChunkCache, TemplatedChunkCache } from './chunk-cache.ts';
import type { Chunk } from '../store/chunk.ts';
import { type DeflatedBlock, deflateBlock } from '../lists/deflated-block.ts';
import { Item } from './item.ts';
import { ContextFreeChunkCache } from './context-free-chunk-cache.ts';
import type { Entry } from '../store/entry.ts';
import type { CacheSpace } from '../store/cache-budget.ts';
import type { ContextFreeRepresentation, CachedObject, Representation, TemplatedRepresentation, ItemTemplate } from '../watch-cache.ts';

/** Where an entry is. */
export interface EntryPlace {
  readonly chunk: Chunk;
  readonly index: number;
}

/**
 * Keeps it within the budget; once it is forgotten, the chunk starts anew. Again after what it remembers has grown. Does nothing when the chunk was
 * replaced meanwhile, or has let go of it.
 */
export function keepCache(cacheSpace: CacheSpace, chunk: Chunk, representation: Representation, kept: ChunkCache): void {
  if (chunk.representations.get(representation) === kept) cacheSpace.keep(kept, kept.bytes, () => chunk.dropCache(representation, kept));
}

/** What the chunk remembers of the representation, from now on; undefined when it was replaced. */
export function templatedCacheIn(chunk: Chunk, representation: TemplatedRepresentation): TemplatedChunkCache | undefined {
  const kept = chunk.representations.get(representation);
  if (kept instanceof TemplatedChunkCache) return kept;
  return chunk.isSuperseded ? undefined : begin(chunk, representation, new TemplatedChunkCache(nothingOf(chunk)));
}

/** The same of a bare representation. */
export function contextFreeCacheIn(chunk: Chunk, representation: ContextFreeRepresentation): ContextFreeChunkCache | undefined {
  const kept = chunk.representations.get(representation);
  if (kept instanceof ContextFreeChunkCache) return kept;
  return chunk.isSuperseded ? undefined : begin(chunk, representation, new ContextFreeChunkCache(nothingOf(chunk)));
}

const nothingOf = ({ entries }: Chunk): undefined[] => new Array<undefined>(entries.length).fill(undefined);

function begin<Kept extends ChunkCache>(chunk: Chunk, representation: Representation, kept: Kept): Kept {
  chunk.setCache(representation, kept);
  return kept;
}

/** Deflates what the chunk's objects are in the representation, to be kept with them as long as it is valid. */
export function deflateChunk(
  chunk: Chunk,
  representation: Representation,
  kept: ChunkCache,
  made: DeflatedContent,
  cacheSpace: CacheSpace,
): Promise<DeflatedBlock> {
  const { content, validUntil } = made;
  const deflating = deflateBlock(content);
  kept.block.set(deflating, validUntil);
  deflating.then(
    (block) => {
      if (!kept.block.has(deflating)) return;
      kept.block.set(block, validUntil);
      keepCache(cacheSpace, chunk, representation, kept);
    },
    () => {
      if (kept.block.has(deflating)) kept.block.set(undefined, 0);
    },
  );
  return deflating;
}

export interface DeflatedContent {
  readonly content: Buffer;
  /** Milliseconds since the epoch; Infinity: for ever. */
  readonly validUntil: number;
}

/** The entry prepared, lookup where it is. `place` undefined: it is in the cache no more, and nothing is lookup. */
export function templateOf(
  entry: CachedObject,
  place: EntryPlace | undefined,
  representation: TemplatedRepresentation,
  cacheSpace: CacheSpace,
): ItemTemplate {
  const kept = place === undefined ? undefined : templatedCacheIn(place.chunk, representation);
  if (place === undefined || kept === undefined) return representation.prepare(entry.itemBytes);
  const known = kept.known(place.index);
  if (known !== undefined) {
    cacheSpace.touch(kept);
    return known;
  }
  const object = representation.prepare(entry.itemBytes);
  kept.add(place.index, object);
  keepCache(cacheSpace, place.chunk, representation, kept);
  return object;
}

/** The same in a bare representation. */
export function itemOf(
  entry: CachedObject,
  place: EntryPlace | undefined,
  representation: ContextFreeRepresentation,
  cacheSpace: CacheSpace,
): Item {
  const kept = place === undefined ? undefined : contextFreeCacheIn(place.chunk, representation);
  if (place === undefined || kept === undefined) return new Item(representation.encodeItem(entry.itemBytes));
  const known = kept.known(place.index);
  if (known !== undefined) {
    cacheSpace.touch(kept);
    return known;
  }
  const item = new Item(representation.encodeItem(entry.itemBytes));
  kept.add(place.index, item);
  keepCache(cacheSpace, place.chunk, representation, kept);
  return item;
}

/** `chunks` take the place of `replaced`, in the same order of keys: what is known of an entry that is in both goes over. */
export function carryCaches(replaced: readonly Chunk[], chunks: readonly Chunk[], cacheSpace: CacheSpace): void {
  const representations = new Set(replaced.flatMap((chunk) => [...chunk.representations.keys()]));
  for (const representation of representations) {
    if (representation.isContextFree === true) {
      const items = knownOf(replaced, (chunk) => contextFreeCacheIn(chunk, representation));
      for (const chunk of chunks) takeOver(chunk, representation, new ContextFreeChunkCache(items(chunk)), cacheSpace);
    } else {
      const objects = knownOf(replaced, (chunk) => templatedCacheIn(chunk, representation));
      for (const chunk of chunks) takeOver(chunk, representation, new TemplatedChunkCache(objects(chunk)), cacheSpace);
    }
  }
}

function takeOver(
  chunk: Chunk,
  representation: Representation,
  kept: ChunkCache & { readonly isEmpty: boolean },
  cacheSpace: CacheSpace,
): void {
  if (kept.isEmpty) return;
  chunk.setCache(representation, kept);
  keepCache(cacheSpace, chunk, representation, kept);
}

/** What is known of the entries of each of the new chunks, which are asked for in their order. */
function knownOf<Known>(
  replaced: readonly Chunk[],
  keptIn: (chunk: Chunk) => { known(index: number): Known | undefined } | undefined,
): (chunk: Chunk) => (Known | undefined)[] {
  const known: { readonly entry: Entry; readonly object: Known }[] = [];
  for (const chunk of replaced) {
    const kept = keptIn(chunk);
    for (const [index, entry] of chunk.entries.entries()) {
      const object = kept?.known(index);
      if (object !== undefined) known.push({ entry, object });
    }
  }
  let at = 0;
  return ({ entries }) =>
    entries.map((entry) => {
      for (let next = known[at]; next !== undefined && next.entry !== entry && next.entry.key <= entry.key;) next = known[++at];
      const next = known[at];
      if (next?.entry !== entry) return undefined;
      at++;
      return next.object;
    });
}
