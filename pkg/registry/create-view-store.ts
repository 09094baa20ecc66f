/** The store of a view: the store of its kind, which is asked in the kind's own words. */
import { createFieldSelector } from '../apimachinery/selectors/selector.ts';
import type { KindView } from '../apis/kind.ts';
import type { Selection } from '../watchcache/watch-cache.ts';
import { createObjectStore, type ObjectStoreOptions } from './create-object-store.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * `options`: those of the kind, but for the kind itself, which is the view, and the codec, which writes what the kind
 * stores.
 */
export function createViewStore({ selectedAs }: KindView, options: ObjectStoreOptions): ObjectStore {
  const store = createObjectStore(options);
  const storedNames = new Map(Object.entries(selectedAs));
  // What is indexed of an object is indexed under the kind's names.
  const asStored = (selection: Selection): Selection => {
    if (selection.fields === undefined) return selection;
    const requirements = selection.fields.requirements.map(({ field, ...rest }) => ({ ...rest, field: storedNames.get(field) ?? field }));
    return { ...selection, fields: createFieldSelector(requirements) };
  };
  return {
    ...store,
    list: (query, signal) => store.list({ ...query, selection: asStored(query.selection) }, signal),
    watch: (query) => store.watch({ ...query, selection: asStored(query.selection) }),
    delete: (name, { found, ...request }) =>
      store.delete(name, { ...request, ...(found && { found: { ...found, by: asStored(found.by) } }) }),
  };
}
