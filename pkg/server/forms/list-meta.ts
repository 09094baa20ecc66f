import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { ListResult } from '../../registry/object-store.ts';

type ListFacts = Pick<ListResult, 'revision' | 'continueToken' | 'remainingItemCount'>;

/** The metadata of a list. */
export const listMetadata = ({ revision, continueToken, remainingItemCount }: ListFacts): JsonObject => ({
  resourceVersion: String(revision),
  ...(continueToken === undefined ? {} : { continue: continueToken }),
  ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
});

/** The same as JSON. */
export const listMeta = (list: ListFacts): string => JSON.stringify(listMetadata(list));
