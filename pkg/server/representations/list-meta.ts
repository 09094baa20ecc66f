import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { type ShardSelector, shardSelectorText } from '../../apimachinery/selectors/shard-selector.ts';
import type { ListResult } from '../../registry/object-store.ts';

export interface ListFacts extends Pick<ListResult, 'revision' | 'continueToken' | 'remainingItemCount'> {
  /** What the list was restricted to: its reader can tell that the server has looked at the parameter. */
  readonly shard?: ShardSelector | undefined;
}

/** The metadata of a list. */
export const listMetadata = ({ revision, continueToken, remainingItemCount, shard }: ListFacts): JsonObject => ({
  resourceVersion: String(revision),
  ...(continueToken === undefined ? {} : { continue: continueToken }),
  ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  ...(shard === undefined ? {} : { shardInfo: { selector: shardSelectorText(shard) } }),
});

/** The same as JSON. */
export const listMeta = (list: ListFacts): string => JSON.stringify(listMetadata(list));
