import { describe, expect, it } from '@jest/globals';
import { createFeatures, isFeatureName } from './features.ts';

describe('Features', () => {
  it('have the default of their gate unless overridden', () => {
    expect(createFeatures().isEnabled('CSIMigration')).toBe(true);
    expect(createFeatures().isEnabled('ShardedListAndWatch')).toBe(false);
    expect(createFeatures(new Map([['CSIMigration', false]])).isEnabled('CSIMigration')).toBe(false);
  });

  it('are looked up by name', () => {
    expect([isFeatureName('CSIMigration'), isFeatureName('constructor'), isFeatureName('csimigration')]).toEqual([true, false, false]);
  });
});
