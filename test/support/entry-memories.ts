/** What the watch cache may keep its entries in: the tests of both are the same. */
import { Arena } from '../../pkg/watchcache/store/arena.ts';
import { type EntryMemory, PlainEntryMemory } from '../../pkg/watchcache/store/entry-memory.ts';

export const ENTRY_MEMORIES: readonly { readonly name: string; readonly createMemory: () => EntryMemory }[] = [
  { name: 'an arena', createMemory: () => new Arena() },
  { name: 'plain memory', createMemory: () => new PlainEntryMemory() },
];
