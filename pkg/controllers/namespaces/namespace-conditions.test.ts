import { describe, expect, it } from '@jest/globals';
import { namespaceConditions, type RemainingContent, withConditions } from './namespace-conditions.ts';

const NOW = '2026-03-14T15:09:26Z';
const content = (resource: string, group: string, count: number, finalizers: Readonly<Record<string, number>> = {}): RemainingContent => ({
  resource,
  group,
  count,
  finalizers: new Map(Object.entries(finalizers)),
  held: [],
});
const messagesOf = (contents: readonly RemainingContent[]) =>
  Object.fromEntries(namespaceConditions(contents).flatMap(({ type, status, message }) => (status === 'True' ? [[type, message]] : [])));

describe('namespaceConditions', () => {
  it('have no problem when nothing is left', () => {
    expect(messagesOf([content('cronjobs', 'batch', 0)])).toEqual({});
    expect(namespaceConditions([]).map(({ type }) => type)).toEqual([
      'NamespaceDeletionDiscoveryFailure',
      'NamespaceDeletionGroupVersionParsingFailure',
      'NamespaceDeletionContentFailure',
      'NamespaceContentRemaining',
      'NamespaceFinalizersRemaining',
    ]);
  });

  it('name resources and finalizers in their order, with the core group empty', () => {
    const contents = [
      content('secrets', '', 2, { 'b/c': 2, 'a/b': 1 }),
      content('cronjobs', 'batch', 1, { 'b/c': 1 }),
      content('events', 'events.k8s.io', 0),
    ];
    expect(messagesOf(contents)).toEqual({
      NamespaceContentRemaining: 'Some resources are remaining: cronjobs.batch has 1 resource instances, secrets. has 2 resource instances',
      NamespaceFinalizersRemaining:
        'Some content in the namespace has finalizers remaining: a/b in 1 resource instances, b/c in 3 resource instances',
    });
  });

  it('say why something could not be deleted', () => {
    const failed = { ...content('cronjobs', 'batch', 0), failure: 'the store is full' };
    expect(messagesOf([failed, content('secrets', '', 0)])).toEqual({
      NamespaceDeletionContentFailure: 'Failed to delete all resource types, 1 remaining: the store is full',
    });
  });
});

describe('withConditions', () => {
  const some = namespaceConditions([content('secrets', '', 2)]);
  const none = namespaceConditions([]);

  it('keeps the list when nothing changes, and the conditions of others', () => {
    const others = [{ type: 'Other', status: 'True' }];
    const first = withConditions(others, some, NOW);
    expect(first).toHaveLength(6);
    expect(first?.[0]).toBe(others[0]);
    expect(withConditions(first, some, '2026-03-14T16:00:00Z')).toBe(first);
  });

  it('moves the time only when the status changes', () => {
    const later = '2026-03-14T16:00:00Z';
    const timesOf = (conditions: ReturnType<typeof withConditions>) => conditions?.map(({ lastTransitionTime }) => lastTransitionTime);
    const first = withConditions(undefined, some, NOW);
    const other = namespaceConditions([content('secrets', '', 1)]);
    expect(timesOf(withConditions(first, other, later))).toEqual([NOW, NOW, NOW, NOW, NOW]);
    expect(timesOf(withConditions(first, none, later))).toEqual([NOW, NOW, NOW, later, NOW]);
  });
});
