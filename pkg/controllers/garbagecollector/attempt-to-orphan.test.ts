import { expect, it } from '@jest/globals';
import { never } from '../../../test/registry/test-registry.ts';
import { attemptToOrphan } from './attempt-to-orphan.ts';
import type { CollectedKind } from './collected-kinds.ts';
import { DependencyGraph } from './graph.ts';
import { ORPHAN_FINALIZER, type Ownership } from './ownership.ts';

it('fails when all of its writes have ended, if one of them failed', async () => {
  const nothing = () => undefined;
  const listener = { attemptToDelete: nothing, attemptToDeleteDependents: nothing, attemptToOrphan: nothing, ownersElsewhere: nothing };
  const resource = {} as CollectedKind;
  const graph = new DependencyGraph<CollectedKind>({ locate: () => 'unknown', uidAt: nothing, listener });
  const ownership: Ownership = { ownerReferences: [], finalizers: [ORPHAN_FINALIZER], isDeleting: true };
  const observe = (uid: string, now: Ownership) => graph.observe({ resource, namespace: 'a', name: uid, uid }, now, nothing);
  observe('owner', ownership);
  const reference = { apiVersion: 'v1', kind: 'Thing', name: 'owner', uid: 'owner', blockOwnerDeletion: false };
  const dependents = Array.from({ length: 20 }, (_, index) => `child-${index}`);
  for (const uid of dependents) observe(uid, { ownerReferences: [reference], finalizers: [], isDeleting: false });

  const error = new Error('no');
  const written: string[] = [];
  const access = {
    createReadLive: () => Promise.resolve(() => ({ uid: 'owner', revision: 1, ownership })),
    removeOwnerReferences: async (_: unknown, uid: string) => {
      if (uid === 'child-0') throw error;
      await new Promise((resolve) => setImmediate(resolve));
      written.push(uid);
    },
    removeFinalizer: () => Promise.reject(new Error('too early')),
  };
  await expect(attemptToOrphan({ graph, access } as never, 'owner', never)).rejects.toBe(error);
  expect(written.toSorted()).toEqual(dependents.slice(1).toSorted());
});
