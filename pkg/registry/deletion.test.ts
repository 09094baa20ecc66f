import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject, ObjectMeta } from '../apis/kind.ts';
import { type DeletionOptions, planDeletion, releasesDeletion } from './deletion.ts';

const NOW = Date.parse('2026-03-14T15:09:26.535Z');
const object = (metadata: ObjectMeta) => ({ kind: 'CronJob', apiVersion: 'batch/v1', metadata: { name: 'a', ...metadata } });
const plan = (metadata: ObjectMeta, options: Partial<DeletionOptions> = {}) =>
  planDeletion(object(metadata), { propagates: true, defaultPolicy: 'Background', nowMs: NOW, ...options });
const finalizersOf = (metadata: ObjectMeta, options: Partial<DeletionOptions> = {}) => {
  const planned = plan(metadata, options);
  return planned.action === 'remove' ? [] : planned.object.metadata.finalizers;
};

describe('planDeletion', () => {
  it('removes an object that nothing holds', () => {
    expect(plan({})).toEqual({ action: 'remove' });
    expect(plan({ finalizers: [] })).toEqual({ action: 'remove' });
  });

  it('marks an object that a finalizer holds, and counts its generation', () => {
    expect(plan({ finalizers: ['a/b'], generation: 3 })).toEqual({
      action: 'hold',
      object: object({ finalizers: ['a/b'], generation: 4, deletionTimestamp: '2026-03-14T15:09:26Z', deletionGracePeriodSeconds: 0 }),
    });
  });

  it('gives no generation to an object that has none', () => {
    const planned = plan({ finalizers: ['a/b'] });
    expect(planned.action === 'hold' && 'generation' in planned.object.metadata).toBe(false);
  });

  it('changes nothing the second time', () => {
    const first = plan({ finalizers: ['a/b'], generation: 3 });
    if (first.action !== 'hold') throw new Error('not held');
    const again = planDeletion(first.object, { propagates: true, defaultPolicy: 'Background', nowMs: NOW + 60_000 });
    expect(again).toEqual({ action: 'hold', object: first.object });
  });

  it('brings a deletion that was planned for later forward', () => {
    const planned = plan({ finalizers: ['a/b'], deletionTimestamp: '2027-01-01T00:00:00Z', deletionGracePeriodSeconds: 30, generation: 3 });
    expect(planned.action === 'hold' && planned.object.metadata).toMatchObject({
      deletionTimestamp: '2026-03-14T15:09:26Z',
      deletionGracePeriodSeconds: 0,
      generation: 3,
    });
  });

  it.each<[string[], Partial<DeletionOptions>, string[]]>([
    [[], { propagationPolicy: 'Orphan' }, ['orphan']],
    [[], { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
    [[], { propagationPolicy: 'Background' }, []],
    [[], { orphanDependents: true }, ['orphan']],
    [[], { orphanDependents: false }, []],
    [['orphan'], {}, ['orphan']],
    [['foregroundDeletion'], {}, ['foregroundDeletion']],
    [['orphan', 'foregroundDeletion'], {}, ['orphan']],
    [['orphan', 'a/b'], { propagationPolicy: 'Foreground' }, ['a/b', 'foregroundDeletion']],
    [['foregroundDeletion', 'a/b'], { propagationPolicy: 'Orphan' }, ['a/b', 'orphan']],
    [['orphan', 'a/b'], { propagationPolicy: 'Background' }, ['a/b']],
    [['orphan'], { orphanDependents: false }, []],
    [['foregroundDeletion'], { orphanDependents: true }, ['orphan']],
    [['orphan', 'a/b'], {}, ['orphan', 'a/b']],
  ])('turns finalizers %j with %j into %j', (finalizers, options, expected) => {
    expect(finalizersOf({ finalizers }, options)).toEqual(expected);
  });

  it.each<[readonly string[], Partial<DeletionOptions>, readonly string[]]>([
    [[], {}, ['orphan']],
    [['a/b'], {}, ['a/b', 'orphan']],
    [['foregroundDeletion'], {}, ['foregroundDeletion']],
    [['a/b'], { propagationPolicy: 'Background' }, ['a/b']],
    [['a/b'], { orphanDependents: false }, ['a/b']],
  ])('orphans the dependents of a kind that does so by default: finalizers %j with %j become %j', (finalizers, options, expected) => {
    expect(finalizersOf({ finalizers }, { defaultPolicy: 'Orphan', ...options })).toEqual(expected);
  });

  it('waits for dependents that shall not be orphaned, of a kind that terminates', () => {
    const termination = { begin: (stored: KubernetesObject) => stored, isHeld: () => false };
    const options = { termination, orphanDependents: false };
    expect(finalizersOf({ finalizers: ['orphan', 'a/b'] }, options)).toEqual(['a/b', 'foregroundDeletion']);
    expect(finalizersOf({ finalizers: ['a/b'], deletionTimestamp: '2026-03-14T15:09:26Z' }, options)).toEqual(['a/b']);
  });

  it('leaves the finalizers of a kind without propagation alone', () => {
    expect(plan({}, { propagates: false, propagationPolicy: 'Orphan' })).toEqual({ action: 'remove' });
    expect(finalizersOf({ finalizers: ['a/b'] }, { propagates: false, propagationPolicy: 'Foreground' })).toEqual(['a/b']);
  });
});

describe('releasesDeletion', () => {
  const deleting = object({ finalizers: ['a/b'], deletionTimestamp: '2026-03-14T15:09:26Z', deletionGracePeriodSeconds: 0 });

  it('sees the last finalizer go from a deleting object', () => {
    expect(releasesDeletion(object({}), deleting)).toBe(true);
    expect(releasesDeletion(object({ finalizers: ['a/b'] }), deleting)).toBe(false);
  });

  it('means nothing on an object that is not deleting', () => {
    expect(releasesDeletion(object({}), object({ finalizers: ['a/b'] }))).toBe(false);
  });
});
