/** Combines the reads and writes of one resource. */
import { deleteUnreadable } from './delete-unreadable.ts';
import type { ObjectStore } from './object-store.ts';
import { getObject, listObjects, type ReadContext, watchObjects } from './reads.ts';
import { updateObject } from './update-object.ts';
import { createObject, deleteObject, type WriteContext } from './writes.ts';

export interface ObjectStoreOptions {
  readonly reads: ReadContext;
  readonly writes: WriteContext;
}

export const createObjectStore = ({ reads, writes }: ObjectStoreOptions): ObjectStore => ({
  definition: reads.kind.definition,
  get: (name, at, signal, representation) => getObject(reads, name, at, signal, representation),
  list: (query, signal) => listObjects(reads, query, signal),
  watch: (query) => watchObjects(reads, query),
  create: (namespace, object, options) => createObject(writes, namespace, object, options),
  update: (name, subresource, change, options) => updateObject(writes, name, subresource, change, options),
  replace: (name, object, subresource, options) => updateObject(writes, name, subresource, { by: 'replace', object }, options),
  delete: (name, request) => deleteObject(writes, name, request),
  deleteUnreadable: (name, options) => deleteUnreadable(writes, name, options),
});
