import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import { createFeatures } from '../../../../apimachinery/features/features.ts';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';

const KIND = 'Lease';
const COORDINATED = { strategy: 'OldestEmulationVersion', preferredHolder: 'a' };

describe('A Lease', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  it.each<[JsonObject, readonly string[]]>([
    [{}, []],
    [{ spec: {} }, []],
    [{ spec: { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 } }, []],
    [{ spec: { leaseDurationSeconds: 0 } }, ['Invalid spec.leaseDurationSeconds']],
    [{ spec: { leaseDurationSeconds: -1, leaseTransitions: -1 } }, ['Invalid spec.leaseDurationSeconds', 'Invalid spec.leaseTransitions']],
  ])('is checked on create and on update: %j', async (body, causes) => {
    expect((await rules.create(KIND, body)).causes).toEqual(causes);
    expect((await rules.update(KIND, {}, body)).causes).toEqual(causes);
  });

  it('drops what only a coordinated election needs, and does not check it', async () => {
    expect((await rules.create(KIND, { spec: { ...COORDINATED, strategy: 'x', leaseTransitions: 1 } })).object?.['spec']).toEqual({
      leaseTransitions: 1,
    });
    expect((await rules.update(KIND, {}, { spec: COORDINATED })).object?.['spec']).toEqual({});
  });

  describe('with CoordinatedLeaderElection', () => {
    let coordinated: Rules;
    beforeAll(async () => {
      coordinated = await openRules({ features: createFeatures(new Map([['CoordinatedLeaderElection', true]])) });
    });
    afterAll(() => coordinated.close());

    it('keeps what a coordinated election needs', async () => {
      expect((await coordinated.create(KIND, { spec: COORDINATED })).object?.['spec']).toEqual(COORDINATED);
    });

    it.each<[JsonObject, readonly string[]]>([
      [{ strategy: 'example.com/Mine' }, []],
      [{ strategy: 'Other' }, ['NotSupported spec.strategy.strategy']],
      [{ strategy: '' }, ['NotSupported spec.strategy.strategy']],
      [{ strategy: 'a b/c' }, ['Invalid spec.strategy.strategy']],
      [{ preferredHolder: 'a' }, ['Forbidden spec.preferredHolder']],
      [{ preferredHolder: '' }, []],
    ])('checks it: %j', async (spec, causes) => {
      expect((await coordinated.create(KIND, { spec })).causes).toEqual(causes);
    });
  });
});
