import type { ListResult } from '../../registry/object-store.ts';

/** The metadata of a list, as JSON. */
export const listMeta = ({
  revision,
  continueToken,
  remainingItemCount,
}: Pick<ListResult, 'revision' | 'continueToken' | 'remainingItemCount'>): string =>
  JSON.stringify({
    resourceVersion: String(revision),
    ...(continueToken === undefined ? {} : { continue: continueToken }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  });
