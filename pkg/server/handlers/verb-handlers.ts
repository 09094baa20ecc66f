/** The handler of each verb. */
import type { Features } from '../../apimachinery/features/features.ts';
import type { Verb } from '../../apis/kind.ts';
import { create } from './create.ts';
import { createDelete } from './delete.ts';
import { createDeleteCollection } from './delete-collection.ts';
import { createDeleteOptionsReader } from './delete-options.ts';
import { get } from './get.ts';
import { createList } from './list.ts';
import { createPatch, type PatchHandlerOptions } from './patch.ts';
import { createReplace } from './replace.ts';
import type { ResourceHandler } from './resource-call.ts';
import { createWatch, type WatchHandlerOptions } from './watch.ts';

export interface VerbHandlerOptions extends WatchHandlerOptions, PatchHandlerOptions {
  readonly features: Features;
}

export function createVerbHandlers(options: VerbHandlerOptions): Readonly<Record<Verb, ResourceHandler>> {
  const { features, authorizer } = options;
  const deletion = { ...createDeleteOptionsReader(), features, authorizer };
  return {
    create,
    get,
    list: createList(features),
    update: createReplace(options),
    patch: createPatch(options),
    watch: createWatch(options),
    delete: createDelete(deletion),
    deletecollection: createDeleteCollection(deletion),
  };
}
