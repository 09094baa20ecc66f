import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { type ShardSelector, shardSelectorText } from '../../apimachinery/selectors/shard-selector.ts';
import type { ListResult } from '../../registry/object-store.ts';

export interface ListMetaFields extends Pick<ListResult, 'revision' | 'continueToken' | 'remainingItemCount'> {
  /** The shard of the list, which tells the client that the parameter was applied. */
  readonly shard?: ShardSelector | undefined;
}

export const listMetadata = ({ revision, continueToken, remainingItemCount, shard }: ListMetaFields): JsonObject => ({
  resourceVersion: String(revision),
  ...(continueToken === undefined ? {} : { continue: continueToken }),
  ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  ...(shard === undefined ? {} : { shardInfo: { selector: shardSelectorText(shard) } }),
});

/** List metadata as JSON. */
export const listMeta = (list: ListMetaFields): string => JSON.stringify(listMetadata(list));
