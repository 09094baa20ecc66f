import type { RepresentationSegment, CacheLookup, Run } from './segment.ts';
import { madeAtOnce, madeInSlices, wholeChunk } from './segment.ts';
import { type DeflatedBlock, deflateBlock } from '../lists/deflated-block.ts';
import { Item } from './item.ts';
import type { ContextFreeChunkCache } from './context-free-chunk-cache.ts';
import { deflateChunk, itemOf, contextFreeCacheIn, keepCache } from './chunk-caches.ts';
import type { ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { ContextFreeRepresentation } from '../watch-cache.ts';

/** A run of objects in a bare representation. Of a whole chunk that is known it is what the chunk remembers, as it is. */
export class ContextFreeSegment implements RepresentationSegment {
  readonly isContextFree = true;
  readonly #run: Run;
  readonly #representation: ContextFreeRepresentation;
  readonly #lookup: CacheLookup;
  #bytes: Buffer | undefined;

  constructor(run: Run, representation: ContextFreeRepresentation, lookup: CacheLookup) {
    this.#run = run;
    this.#representation = representation;
    this.#lookup = lookup;
  }

  async prepare(task: ScheduledTask): Promise<void> {
    this.#bytes ??= await madeInSlices(this.#making(), task);
  }

  /** Its length, when that is known without making it. */
  get knownLength(): number | undefined {
    return wholeChunk(this.#run)?.bytesIn(this.#representation);
  }

  /** Makes it for its length, which is known from then on. */
  async measure(task: ScheduledTask): Promise<number> {
    await this.prepare(task);
    const { byteLength } = this.compose();
    wholeChunk(this.#run)?.setBytesIn(this.#representation, byteLength);
    return byteLength;
  }

  /** Bytes that it holds, whatever is lookup. */
  get retainedBytes(): number {
    return this.#bytes?.byteLength ?? 0;
  }

  release(): void {
    this.#bytes = undefined;
  }

  compose(): Buffer {
    return (this.#bytes ??= madeAtOnce(this.#making()));
  }

  deflated(): DeflatedBlock | Promise<DeflatedBlock> | undefined {
    const kept = wholeChunk(this.#run)?.representations.get(this.#representation);
    const block = kept?.block.at(this.#representation.now());
    if (kept !== undefined && block !== undefined) this.#lookup.cacheSpace.touch(kept);
    return block;
  }

  deflate(): DeflatedBlock | Promise<DeflatedBlock> {
    const known = this.deflated();
    if (known !== undefined) return known;
    const content = this.compose();
    const chunk = wholeChunk(this.#run);
    const kept = chunk === undefined ? undefined : contextFreeCacheIn(chunk, this.#representation);
    if (chunk === undefined || kept === undefined) return deflateBlock(content);
    return deflateChunk(chunk, this.#representation, kept, { content, validUntil: Infinity }, this.#lookup.cacheSpace);
  }

  /** Yields after each object that was not known. */
  *#making(): Generator<undefined, Buffer, undefined> {
    const { chunk, entries, from, to } = this.#run;
    const { cacheSpace, find } = this.#lookup;
    const representation = this.#representation;
    const kept = chunk === undefined ? undefined : contextFreeCacheIn(chunk, representation);
    const packed = kept?.packedRun(from, to);
    if (kept !== undefined && packed !== undefined) {
      cacheSpace.touch(kept);
      return packed;
    }
    const items: Item[] = [];
    for (let index = from; index < to; index++) {
      const entry = entries[index];
      if (entry === undefined) continue;
      const known = kept?.known(index);
      const item =
        known ??
        (kept === undefined
          ? itemOf(entry, find(entry), representation, cacheSpace)
          : new Item(representation.encodeItem(entry.itemBytes)));
      items.push(item);
      if (known !== undefined) continue;
      kept?.add(index, item);
      yield undefined;
    }
    return this.#packed(kept) ?? Buffer.concat(items.map(({ bytes }) => bytes));
  }

  /** Of all the chunk's items side by side, unless one is unknown; what has become known is lookup. */
  #packed(kept: ContextFreeChunkCache | undefined): Buffer | undefined {
    const { chunk, from, to } = this.#run;
    // Elements of a chunk that was replaced belong to another one now.
    if (chunk === undefined || kept === undefined || chunk.representations.get(this.#representation) !== kept) return undefined;
    kept.pack();
    keepCache(this.#lookup.cacheSpace, chunk, this.#representation, kept);
    return kept.packedRun(from, to);
  }
}
