import { describe, expect, it } from '@jest/globals';
import { judge } from './judge.ts';
import type { Played } from './play.ts';
import { HOLD, type CreateStep, type Script } from './script.ts';

const create = (object: number, owners: readonly number[] = [], finalizers: readonly string[] = []): CreateStep => ({
  does: 'create',
  object,
  kind: 'CronJob',
  place: 'home',
  owners: owners.map((to) => ({ to, blocks: true })),
  finalizers,
});

/** An owner and its dependent, which something holds. */
const DELETED: Script = {
  seed: '1',
  references: 'right',
  objects: [create(0), create(1, [0], [HOLD])],
  steps: [{ does: 'delete', object: 0, options: { propagationPolicy: 'Foreground' } }],
};

const HELD = '1#0 CronJob deleting finalizers ["example.com/hold"] owners ["0#0"]';
const WAITING = '0#0 CronJob deleting finalizers ["foregroundDeletion"] owners []';
const played = (left: readonly string[], more: Partial<Played> = {}): Played => ({
  codes: [201, 201, 200],
  left: [...left].sort(),
  namespaces: ['namespace -home Active'],
  events: [],
  ...more,
});
const right = played([HELD, WAITING]);

describe('A comparison of collectors', () => {
  it('takes what Kubernetes did each time', () => {
    expect(judge({ script: DELETED, expected: [right], actual: [right, right] })).toBe('seen');
    const other = played([HELD]);
    expect(judge({ script: DELETED, expected: [right, other], actual: [other] })).toBe('seen');
  });

  it.each([
    ['an object is left over', played([HELD, WAITING, '2#0 CronJob finalizers [] owners []'])],
    ['an object was wrongly deleted', played([WAITING])],
    ['a finalizer is left out', played([HELD, '0#0 CronJob deleting finalizers [] owners []'])],
    ['a reference is gone', played([HELD.replace('["0#0"]', '[]'), WAITING])],
    ['an answer has another code', played([HELD, WAITING], { codes: [201, 201, 202] })],
    ['there is an Event', played([HELD, WAITING], { events: ['Warning OwnerRefInvalidNamespace of o1: …'] })],
    ['a namespace is being deleted', played([HELD, WAITING], { namespaces: ['namespace -home Terminating'] })],
  ])('finds it when %s', (_, wrong) => {
    expect(judge({ script: DELETED, expected: [right], actual: [wrong] })).toBe('different');
    // Once is enough.
    expect(judge({ script: DELETED, expected: [right, right], actual: [right, wrong, right] })).toBe('different');
  });

  it('says nothing for itself where the rules do not explain what Kubernetes did', () => {
    const [here, there] = [played([HELD, WAITING]), played([WAITING])];
    expect(judge({ script: DELETED, expected: [there], actual: [here] })).toBe('different');
  });

  it('takes another end that the rules leave, if they leave that of Kubernetes too', () => {
    // Both dependents go. The last one may lose the reference to the first of them before the second goes, or not.
    const script: Script = {
      seed: '2',
      references: 'right',
      objects: [create(0), create(1, [0]), create(2, [0]), create(3, [1, 2], [HOLD])],
      steps: [{ does: 'delete', object: 0, options: {} }],
    };
    const endOf = (owners: readonly string[]) =>
      played([`3#0 CronJob deleting finalizers ["example.com/hold"] owners ${JSON.stringify(owners)}`], {
        codes: [201, 201, 201, 201, 200],
      });
    const [neither, first, second] = [endOf(['1#0', '2#0']), endOf(['1#0']), endOf(['2#0'])];
    expect(judge({ script, expected: [neither], actual: [first, second] })).toBe('possible');
    expect(judge({ script, expected: [neither], actual: [first, endOf([])] })).toBe('different');
    expect(judge({ script, expected: [endOf([])], actual: [first] })).toBe('different');
  });

  it('takes a further Event about an owner in another namespace, if it is named behind another one', () => {
    const script = (owners: readonly number[]): Script => ({
      seed: '3',
      references: 'wrong',
      objects: [create(0), { ...create(1), place: 'away' }, create(2, owners)],
      steps: [],
    });
    const end = (events: readonly string[]) =>
      played(['0#0 CronJob finalizers [] owners []', '1#0 CronJob finalizers [] owners []'], { codes: [201, 201, 201], events });
    const told =
      'Warning OwnerRefInvalidNamespace of o2: ownerRef [batch/v1/CronJob, namespace: …-home, name: o1, uid: 1#0] does not exist';
    const left = (events: readonly string[], owner: string) =>
      played([...end([]).left, `2#0 CronJob finalizers [] owners ["${owner}"]`], { codes: [201, 201, 201], events });
    expect(judge({ script: script([0, 1]), expected: [left([], '0#0')], actual: [left([told], '0#0')] })).toBe('possible');
    expect(judge({ script: script([1]), expected: [end([])], actual: [end([told])] })).toBe('different');
    expect(judge({ script: script([1, 0]), expected: [left([], '0#0')], actual: [left([told], '0#0')] })).toBe('different');
    const untrue = told.replace('1#0', '0#0');
    expect(judge({ script: script([1, 0]), expected: [left([], '0#0')], actual: [left([untrue], '0#0')] })).toBe('different');
  });
});
