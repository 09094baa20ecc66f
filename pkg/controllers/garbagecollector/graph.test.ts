import { beforeEach, describe, expect, it } from '@jest/globals';
import { DependencyGraph, type GraphListener, type LocatedObject, type Target } from './graph.ts';
import type { OwnerReference, Ownership } from './ownership.ts';

/** `things` are namespaced and `globals` are not; nothing else is served. */
type Resource = 'things' | 'globals';

const KINDS: Readonly<Record<string, Resource>> = { Thing: 'things', Global: 'globals' };

const thing = (uid: string, namespace = 'a', name = uid): LocatedObject<Resource> => ({ resource: 'things', namespace, name, uid });
const global = (uid: string): LocatedObject<Resource> => ({ resource: 'globals', namespace: '', name: uid, uid });

const refer = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Thing',
  name: uid,
  uid,
  blockOwnerDeletion: false,
  ...more,
});
const blocking = { blockOwnerDeletion: true };
const owned = (...ownerReferences: OwnerReference[]): Ownership => ({ ownerReferences, finalizers: [], isDeleting: false });
const FREE = owned();
const deleting = (finalizer: string, ...ownerReferences: OwnerReference[]): Ownership => ({
  ownerReferences,
  finalizers: [finalizer],
  isDeleting: true,
});
const FOREGROUND = deleting('foregroundDeletion');

describe('The graph of owners', () => {
  let cache: Map<string, LocatedObject<Resource>>;
  let known: Map<string, Ownership>;
  let graph: DependencyGraph<Resource>;
  let told: string[];

  beforeEach(() => {
    cache = new Map();
    known = new Map();
    told = [];
    const listener: GraphListener<Resource> = {
      attemptToDelete: (uid) => told.push(`delete ${uid}?`),
      attemptToDeleteDependents: (uid) => told.push(`delete dependents of ${uid}?`),
      attemptToOrphan: (uid) => told.push(`orphan ${uid}`),
      ownersElsewhere: ({ uid }, references) => told.push(`${uid} misses ${references.map((reference) => reference.uid).join(', ')}`),
    };
    const locate = ({ kind, name }: OwnerReference, namespace: string): Target<Resource> => {
      const resource = KINDS[kind];
      if (resource === undefined) return 'unknown';
      if (resource === 'globals') return { resource, namespace: '', name };
      return namespace === '' ? 'impossible' : { resource, namespace, name };
    };
    const at = ({ resource, namespace, name }: Omit<LocatedObject<Resource>, 'uid'>) => `${resource}/${namespace}/${name}`;
    graph = new DependencyGraph({
      locate,
      uidAt: (location) => [...cache.values()].find((each) => at(each) === at(location))?.uid,
      listener,
    });
  });

  /** A write, as the cache applies it. */
  const write = (object: LocatedObject<Resource>, ownership: Ownership) => {
    const before = known.get(object.uid);
    cache.set(object.uid, object);
    known.set(object.uid, ownership);
    graph.observe(object, ownership, () => before);
  };
  const remove = (uid: string) => {
    cache.delete(uid);
    known.delete(uid);
    graph.remove(uid);
  };
  const take = () => told.splice(0);
  const dependentsOf = (uid: string) => [...(graph.get(uid)?.dependents ?? [])].map((node) => node.uid);

  it('has nodes for owners and dependents alone, as long as they are', () => {
    for (const uid of ['owner', 'other', 'alone']) write(thing(uid), FREE);
    write(thing('child'), owned(refer('owner')));
    expect([graph.size, dependentsOf('owner'), graph.get('alone')]).toEqual([2, ['child'], undefined]);
    write(thing('child'), owned(refer('other')));
    expect([graph.size, dependentsOf('owner'), dependentsOf('other')]).toEqual([2, [], ['child']]);
    write(thing('child'), FREE);
    expect([graph.size, take()]).toEqual([0, []]);
  });

  it('has a node for an object that waits, although nothing depends on it', () => {
    write(thing('a'), FOREGROUND);
    write(thing('b'), deleting('orphan'));
    expect([graph.size, take()]).toEqual([2, ['delete a?', 'orphan b']]);
    remove('a');
    remove('b');
    expect([graph.size, take()]).toEqual([0, []]);
  });

  it('asks for the dependents of what was deleted', () => {
    write(thing('owner'), FREE);
    write(thing('child'), owned(refer('owner')));
    remove('owner');
    expect(take()).toEqual(['delete dependents of owner?']);
    expect(dependentsOf('owner')).toEqual(['child']);
    remove('child');
    expect([graph.size, take()]).toEqual([0, []]);
  });

  it('knows the objects that the cache has, whatever comes first', () => {
    cache.set('owner', thing('owner'));
    graph.observe(thing('child'), owned(refer('owner')), () => undefined);
    graph.observe(thing('owner'), FREE, () => undefined);
    expect(take()).toEqual([]);
  });

  it('asks for a dependent whose owner is not there', () => {
    write(thing('child'), owned(refer('gone')));
    expect(take()).toEqual(['child misses gone', 'delete child?']);
    write(thing('child'), owned(refer('gone')));
    expect(take()).toEqual([]);
  });

  it('asks for a dependent whose owner has another name, kind or uid', () => {
    write(thing('owner'), FREE);
    write(thing('first'), owned(refer('owner')));
    write(thing('by-name'), owned(refer('owner', { name: 'other' })));
    write(thing('by-kind'), owned(refer('owner', { kind: 'Global' })));
    write(thing('by-uid'), owned(refer('old', { name: 'owner' })));
    expect(take()).toEqual([
      ...['by-name misses owner', 'delete by-name?'],
      ...['by-kind misses owner', 'delete by-kind?'],
      ...['by-uid misses old', 'delete by-uid?'],
    ]);
    expect(dependentsOf('owner')).toEqual(['first', 'by-name', 'by-kind']);
  });

  it('tells of owners that are not where they should be, up to the first that it knows', () => {
    for (const uid of ['unknown', 'owner', 'other']) write(thing(uid), FREE);
    write(thing('sibling'), owned(refer('owner'), refer('other')));
    write(thing('child', 'b'), owned(refer('unknown'), refer('owner'), refer('other')));
    expect(take()).toEqual(['child misses unknown, owner', 'delete child?']);
  });

  it('does not find an owner in another namespace that has no dependents yet', () => {
    write(thing('owner'), FREE);
    write(thing('child', 'b'), owned(refer('owner')));
    expect(take()).toEqual(['child misses owner', 'delete child?']);
    graph.locate(thing('owner'));
    write(thing('second', 'b'), owned(refer('owner')));
    expect(take()).toEqual(['second misses owner', 'delete second?']);
    expect(graph.get('owner')).toMatchObject({ resource: 'things', namespace: 'a', name: 'owner' });
  });

  it('accepts a cluster-scoped owner from everywhere, and no namespaced one from a cluster-scoped object', () => {
    write(global('owner'), FREE);
    write(thing('child', 'b'), owned(refer('owner', { kind: 'Global' })));
    write(global('second'), owned(refer('owner', { kind: 'Global' })));
    expect(take()).toEqual([]);
    write(global('third'), owned(refer('missing')));
    expect(take()).toEqual(['third misses missing']);
  });

  it('leaves an owner of an unknown kind alone', () => {
    write(thing('child'), owned(refer('owner', { kind: 'Unknown' })));
    expect([graph.size, take()]).toEqual([2, []]);
  });

  it('asks again for an undecided object when its references change', () => {
    write(thing('child'), owned(refer('owner', { kind: 'Unknown' }), refer('gone')));
    const node = graph.get('child');
    if (node !== undefined) graph.markUndecided(node);
    take();
    write(thing('child'), owned(refer('gone')));
    expect(take()).toEqual(['delete child?']);
    write(thing('child'), FREE);
    expect(take()).toEqual([]);
  });

  it('asks for an object whose owner was in no known place when the reference to it changes, and only then', () => {
    write(thing('child'), owned(refer('owner', { kind: 'Unknown' })));
    write(global('global'), owned(refer('other')));
    take();
    write(thing('child'), owned(refer('owner', { kind: 'Unknown' })));
    write(global('global'), owned(refer('other')));
    expect(take()).toEqual([]);
    write(thing('child'), owned(refer('owner')));
    write(global('global'), owned(refer('other', { kind: 'Global' })));
    expect(take()).toEqual(['delete child?', 'delete global?']);
    write(thing('child'), owned(refer('owner')));
    expect(take()).toEqual([]);
  });

  it('tells when an object begins to wait for its dependents, and not while it does', () => {
    write(thing('owner'), FREE);
    write(thing('child'), owned(refer('owner')));
    write(thing('owner'), FOREGROUND);
    expect(take()).toEqual(['delete dependents of owner?']);
    write(thing('owner'), FOREGROUND);
    expect(take()).toEqual([]);
    write(thing('owner'), deleting('orphan'));
    expect(take()).toEqual(['orphan owner']);
    write(thing('owner'), FOREGROUND);
    expect(take()).toEqual(['delete dependents of owner?']);
  });

  it('counts an object that has waited as one that waits, until it is gone, as Kubernetes does', () => {
    write(thing('owner'), FREE);
    write(thing('child'), owned(refer('owner')));
    write(thing('owner'), FOREGROUND);
    write(thing('owner'), deleting('example.com/hold'));
    expect(graph.get('owner')?.isDeletingDependents).toBe(true);
    remove('owner');
    expect(graph.get('owner')?.isDeletingDependents).toBe(false);
  });

  it('asks for an object that refers to one of its owners once more, and otherwise', () => {
    write(thing('owner'), FREE);
    write(thing('child'), owned(refer('owner')));
    expect(take()).toEqual([]);
    write(thing('child'), owned(refer('owner'), refer('owner', { name: 'other' })));
    expect(take()).toEqual(['child misses owner', 'delete child?']);
  });

  it('counts those that block an owner', () => {
    write(thing('owner'), FREE);
    write(thing('one'), owned(refer('owner', blocking)));
    write(thing('two'), owned(refer('owner', blocking), refer('owner', { name: 'other' })));
    write(thing('free'), owned(refer('owner')));
    const blockers = () => graph.get('owner')?.blockers;
    expect(blockers()).toBe(2);
    write(thing('free'), owned(refer('owner', blocking)));
    expect(blockers()).toBe(3);
    write(thing('two'), owned(refer('owner')));
    remove('one');
    expect(blockers()).toBe(1);
  });

  it('tells an owner that a dependent does not block it any more, or is gone while it waits', () => {
    write(thing('owner'), FREE);
    for (const uid of ['one', 'two', 'three', 'four']) write(thing(uid), owned(refer('owner', blocking)));
    remove('one');
    expect(take()).toEqual([]);
    write(thing('two'), owned(refer('owner')));
    expect(take()).toEqual(['delete owner?']);
    write(thing('owner'), FOREGROUND);
    take();
    write(thing('three'), FREE);
    expect(take()).toEqual(['delete owner?']);
    remove('four');
    remove('two');
    expect(take()).toEqual(['delete owner?', 'delete owner?']);
  });

  it('keeps those that begin to block a waiting owner until they are asked for', () => {
    write(thing('owner'), FREE);
    write(thing('early'), owned(refer('owner', blocking)));
    write(thing('owner'), FOREGROUND);
    write(thing('late'), owned(refer('owner', blocking)));
    write(thing('free'), owned(refer('owner')));
    const takeNew = () => {
      const node = graph.get('owner');
      return node === undefined ? [] : graph.takeNewBlockers(node).map(({ uid }) => uid);
    };
    expect([takeNew(), takeNew()]).toEqual([['late'], []]);
  });

  it('lets an object own itself', () => {
    write(thing('self'), owned(refer('self', blocking)));
    expect([graph.size, dependentsOf('self'), take()]).toEqual([1, ['self'], []]);
    remove('self');
    expect([graph.size, take()]).toEqual([0, []]);
  });
});
