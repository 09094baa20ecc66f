/** Rules of metadata that differ between kinds. Those that all share are in `pkg/apimachinery/meta`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sample } from '../registry/test-registry.ts';
import { openRules, type Rules } from '../support/rules.ts';

describe('Finalizers without a domain', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  const withFinalizer = (kind: string) => sample(kind, { name: `f-${kind.toLowerCase()}`, finalizers: ['mine'] });

  it.each(['CronJob', 'VolumeAttachment', 'ControllerRevision', 'Event'])('must be standard ones on a %s', async (kind) => {
    expect((await rules.create(kind, withFinalizer(kind))).causes).toEqual(['Invalid metadata.finalizers[0]']);
  });

  it('may be any on a PodDisruptionBudget', async () => {
    expect((await rules.create('PodDisruptionBudget', withFinalizer('PodDisruptionBudget'))).causes).toEqual([]);
  });

  it('may be any on a StorageVersion that exists', async () => {
    const body = (finalizers: readonly string[]) => ({ metadata: { name: 'example.com.things', finalizers } });
    expect((await rules.create('StorageVersion', body(['mine']))).causes).toEqual(['Invalid metadata.finalizers[0]']);
    expect((await rules.update('StorageVersion', body([]), body(['mine']))).causes).toEqual([]);
  });
});
