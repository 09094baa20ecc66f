/** The store of a view: delegates to the store of its kind. */
import { createFieldSelector } from '../apimachinery/selectors/selector.ts';
import type { KindView } from '../apis/kind.ts';
import type { Selection } from '../watchcache/watch-cache.ts';
import { createObjectStore, type ObjectStoreOptions } from './create-object-store.ts';
import type { ObjectStore } from './object-store.ts';

/** `options`: those of the kind, except that `kind` is the view and the codec converts to the stored type. */
export function createViewStore({ selectedAs }: KindView, options: ObjectStoreOptions): ObjectStore {
  const store = createObjectStore(options);
  const storedNames = new Map(Object.entries(selectedAs));
  // Indexes use the field names of the kind.
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
