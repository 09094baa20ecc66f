import { expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import type { CollectedKind } from './collected-kinds.ts';
import { OwnerSearch } from './owner-search.ts';

it('does not take an owner for found that went during the search', async () => {
  const object = (uid: string) => ({ key: uid, uid, name: uid, namespace: 'a' });
  const objects = ['gone', 'replaced', 'here'].map(object);
  const cached = new Map([
    ['replaced', object('another')],
    ['here', object('here')],
  ]);
  const cache = { snapshot: () => ({ page: () => ({ objects }) }), get: (key: string) => cached.get(key) };
  const resource = { cache } as unknown as CollectedKind;
  const found: string[] = [];
  const foreign: string[] = [];
  const stop = new AbortController();
  const search = new OwnerSearch({
    kinds: [resource],
    clock: new ManualClock(0),
    scheduler: new Scheduler(),
    known: () => undefined,
    found: ({ uid }) => found.push(uid),
    foreignNamespace: (_, { uid }) => {
      foreign.push(uid);
      stop.abort();
    },
  });
  const references = objects.map(({ uid }) => ({ apiVersion: 'v1', kind: 'Thing', name: uid, uid, blockOwnerDeletion: false }));
  search.add({ dependent: { resource, namespace: 'b', name: 'child', uid: 'child' }, references });
  await search.run(stop.signal);
  expect([found, foreign]).toEqual([['here'], ['here']]);
});
