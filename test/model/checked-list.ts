/** Reads of a collection, whole and in pages, compared with what its history says of the revision that they name. */
import type { ApiObject, ObjectList } from '../support/api-object.ts';
import { same, type CheckedCollection, type Place } from './checked-collection.ts';
import { toMatches, toParameters, type ModelSelection } from './selections.ts';

/** `unset` and `zero`: the words of `resourceVersion`. `legacy`: a revision without a match. */
export type At =
  { readonly is: 'unset' | 'zero' | 'zero not older' } | { readonly is: 'exact' | 'not older' | 'legacy'; readonly back: number };

export interface ListQuery {
  readonly selection: ModelSelection;
  readonly at: At;
  /** 0: none. */
  readonly limit: number;
}

/** A list that stands between two pages. */
export interface Walk {
  readonly query: ListQuery;
  readonly revision: number;
  readonly token: string;
  /** What the pages to come must show. */
  readonly rest: readonly ApiObject[];
}

/** `checkIn` compares the answer, once everything that was written while it was made is in the history. */
export interface ListAnswer {
  /** The rest of it when it is a page. */
  checkIn(collection: CheckedCollection): Walk | undefined;
}

export async function askList(collection: CheckedCollection, query: ListQuery): Promise<ListAnswer> {
  const { history } = collection;
  const { at, limit, selection } = query;
  const named = 'back' in at ? history.revisionBack(at.back) : undefined;
  const isExact = at.is === 'exact' || (at.is === 'legacy' && limit > 0);
  const least = named ?? history.revision;
  const list = await ask(collection, selection, {
    ...(named === undefined ? {} : { resourceVersion: String(named) }),
    ...(at.is === 'zero' || at.is === 'zero not older' ? { resourceVersion: '0' } : {}),
    ...(at.is === 'exact' ? { resourceVersionMatch: 'Exact' } : {}),
    ...(at.is === 'not older' || at.is === 'zero not older' ? { resourceVersionMatch: 'NotOlderThan' } : {}),
    ...(limit === 0 ? {} : { limit: String(limit) }),
  });
  return {
    checkIn: ({ kind, spaces }) => {
      const revision = Number(list.metadata.resourceVersion);
      if (isExact ? revision !== least : revision < least) throw new Error(`a list of ${revision} for ${JSON.stringify(at)} at ${least}`);
      history.saw(revision);
      const state = history.stateAt(revision, toMatches(selection, kind, spaces));
      // Who takes any state takes it whole.
      return checkPage(collection, list, {
        query: { ...query, limit: at.is.startsWith('zero') ? 0 : limit },
        revision,
        token: '',
        rest: state,
      });
    },
  };
}

/** The next page, which shows the state of the first. */
export async function continueWalk(collection: CheckedCollection, walk: Walk): Promise<Walk | undefined> {
  const { selection, limit } = walk.query;
  return checkPage(collection, await ask(collection, selection, { limit: String(limit), continue: walk.token }), walk);
}

async function ask(collection: CheckedCollection, selection: ModelSelection, more: Readonly<Record<string, string>>): Promise<ObjectList> {
  const parameters = new URLSearchParams({ ...toParameters(selection, collection.kind, collection.run), ...more });
  return (await collection.api.get(`${collection.collectionPath(selection.space)}?${parameters.toString()}`)).list();
}

function checkPage({ kind, run }: CheckedCollection, { items, metadata }: ObjectList, { query, revision, rest }: Walk): Walk | undefined {
  const page = query.limit === 0 ? rest : rest.slice(0, query.limit);
  same(items, page.map(toListForm), 'a list');
  same(metadata.resourceVersion, String(revision), 'the resourceVersion of a page');
  const left = rest.slice(page.length);
  const token = metadata.continue ?? '';
  if ((token !== '') !== left.length > 0) throw new Error(`${left.length} objects are left, and the token is "${token}"`);
  // Known where no selector hides what is left.
  const isCounted = left.length > 0 && Object.keys(toParameters(query.selection, kind, run)).length === 0;
  same(metadata.remainingItemCount, isCounted ? left.length : undefined, 'what is left');
  return token === '' ? undefined : { query, revision, token, rest: left };
}

/** Of one object: `at` is no exact state, since a GET has none. */
export async function checkGet(collection: CheckedCollection, place: Place, at: At): Promise<void> {
  const version = at.is === 'unset' ? '' : `?resourceVersion=${'back' in at ? collection.history.revisionBack(at.back) : 0}`;
  const answer = await collection.api.get(`${collection.itemPath(place)}${version}`);
  const stored = collection.stored(place);
  if (stored === undefined) same(answer.code, 404, 'the code of a GET');
  else same(answer.object(), stored, 'an object');
}

const toListForm = ({ kind: _kind, apiVersion: _apiVersion, ...object }: ApiObject): object => object;
