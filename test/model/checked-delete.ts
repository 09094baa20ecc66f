/** A delete of a collection, whole or in pages: it takes what is selected, and nothing else. */
import { same, type CheckedCollection } from './checked-collection.ts';
import { toMatches, toParameters, type ModelSelection } from './selections.ts';

export interface CollectionDelete {
  readonly space: 0 | 1;
  readonly selection: ModelSelection;
  /** 0: all at once. */
  readonly limit: number;
  readonly dry: boolean;
}

export async function deleteCollection(collection: CheckedCollection, { space, selection, limit, dry }: CollectionDelete): Promise<void> {
  const { kind, run, spaces, history } = collection;
  const here = { ...selection, space };
  let rest = history.stateAt(history.revision, toMatches(here, kind, spaces));
  for (let token: string | undefined = ''; token !== undefined;) {
    const parameters = new URLSearchParams({
      ...toParameters(here, kind, run),
      ...(limit === 0 ? {} : { limit: String(limit) }),
      ...(token === '' ? {} : { continue: token }),
      ...(dry ? { dryRun: 'All' } : {}),
    });
    const page = limit === 0 ? rest : rest.slice(0, limit);
    const { status, metadata } = await collection.deleteCollection(space, parameters.toString(), page, dry);
    same(status, 'Success', 'the status of a delete of a collection');
    rest = rest.slice(page.length);
    token = metadata.continue;
    if ((token !== undefined) !== rest.length > 0) throw new Error(`${rest.length} objects are left, and the token is "${token}"`);
  }
}
