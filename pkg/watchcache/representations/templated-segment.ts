import type { RepresentationSegment, CacheLookup, Run } from './segment.ts';
import { madeAtOnce, madeInSlices, wholeChunk } from './segment.ts';
import { type DeflatedBlock, deflateBlock } from '../lists/deflated-block.ts';
import { deflateChunk, keepCache, templateOf, templatedCacheIn } from './chunk-caches.ts';
import type { ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { CachedObject, TemplatedRepresentation, ItemTemplate } from '../watch-cache.ts';

const COMMA = 0x2c;

/** A run of objects in a representation that is put together for each answer. */
export class TemplatedSegment implements RepresentationSegment {
  readonly isContextFree = false;
  readonly #run: Run;
  readonly #representation: TemplatedRepresentation;
  readonly #lookup: CacheLookup;
  #prepared: readonly ItemTemplate[] | undefined;

  constructor(run: Run, representation: TemplatedRepresentation, lookup: CacheLookup) {
    this.#run = run;
    this.#representation = representation;
    this.#lookup = lookup;
  }

  async prepare(task: ScheduledTask): Promise<void> {
    this.#prepared ??= await madeInSlices(this.#preparing(), task);
  }

  release(): void {
    this.#prepared = undefined;
  }

  compose(): Buffer {
    return this.#composeAt(this.#representation.now());
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
    const prepared = this.#all();
    const at = this.#representation.now();
    const content = this.#composeAt(at).subarray(1);
    const chunk = wholeChunk(this.#run);
    const kept = chunk === undefined ? undefined : templatedCacheIn(chunk, this.#representation);
    if (chunk === undefined || kept === undefined) return deflateBlock(content);
    const validUntil = prepared.reduce((soonest, object) => Math.min(soonest, object.validUntil(at)), Infinity);
    return deflateChunk(chunk, this.#representation, kept, { content, validUntil }, this.#lookup.cacheSpace);
  }

  #composeAt(at: number): Buffer {
    const { entries, from, to } = this.#run;
    return composeAll(entries.slice(from, to), this.#all(), at);
  }

  /** Of each object of the run. */
  #all(): readonly ItemTemplate[] {
    return (this.#prepared ??= madeAtOnce(this.#preparing()));
  }

  /** Yields after each object that was not known. */
  *#preparing(): Generator<undefined, readonly ItemTemplate[], undefined> {
    const { chunk, entries, from, to } = this.#run;
    const { cacheSpace, find } = this.#lookup;
    const representation = this.#representation;
    const kept = chunk === undefined ? undefined : templatedCacheIn(chunk, representation);
    const prepared: ItemTemplate[] = [];
    let isNew = false;
    for (let index = from; index < to; index++) {
      const entry = entries[index];
      if (entry === undefined) continue;
      const known = kept?.known(index);
      if (known !== undefined) {
        prepared.push(known);
        continue;
      }
      if (kept === undefined) {
        prepared.push(templateOf(entry, find(entry), representation, cacheSpace));
      } else {
        const object = representation.prepare(entry.itemBytes);
        kept.add(index, object);
        prepared.push(object);
        isNew = true;
      }
      yield undefined;
    }
    if (chunk !== undefined && kept !== undefined) {
      if (isNew) keepCache(cacheSpace, chunk, representation, kept);
      else cacheSpace.touch(kept);
    }
    return prepared;
  }
}

/** Each with a comma in front. */
export function composeAll(objects: readonly CachedObject[], prepared: readonly ItemTemplate[], at: number): Buffer {
  const target = Buffer.allocUnsafeSlow(prepared.reduce((sum, { maxBytes }) => sum + 1 + maxBytes, 0));
  let offset = 0;
  for (const [index, object] of prepared.entries()) {
    const shown = objects[index];
    if (shown === undefined) continue;
    target[offset++] = COMMA;
    offset = object.writeTo(target, offset, shown.itemBytes, at);
  }
  return target.subarray(0, offset);
}
