/** Entries for tests of the watch cache, made without a stored value. */
import { toRevision } from '../../pkg/storage/backend.ts';
import { Entry } from '../../pkg/watchcache/store/entry.ts';
import type { Allocation } from '../../pkg/watchcache/store/entry-memory.ts';
import type { ObjectAttributes } from '../../pkg/watchcache/watch-cache.ts';
import { keyOf } from './widgets.ts';

export interface TestEntryOptions {
  /** Default: a. */
  readonly namespace?: string;
  /** Default: 1. */
  readonly revision?: number;
  readonly attributes?: Partial<ObjectAttributes>;
  /** Where the item is copied to. Default: it stays in `item`. */
  readonly allocation?: Allocation;
}

export function testEntry(name: string, item: Buffer | string, options: TestEntryOptions = {}): Entry {
  const { namespace = 'a', revision = 1, attributes, allocation } = options;
  const bytes = Buffer.from(item);
  if (allocation !== undefined) bytes.copy(allocation.bytes, allocation.offset);
  return new Entry(
    { key: keyOf(namespace, name), namespace, name, revision: toRevision(revision) },
    { uid: name, labels: undefined, fields: undefined, ...attributes },
    bytes.byteLength,
    allocation ?? { bytes, offset: 0 },
  );
}
