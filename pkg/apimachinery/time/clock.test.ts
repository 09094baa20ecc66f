import { describe, expect, it } from '@jest/globals';
import { systemClock } from './clock.ts';

describe('systemClock', () => {
  it('sleeps no longer than its signal allows', async () => {
    const controller = new AbortController();
    const asleep = systemClock.sleep(3_600_000, controller.signal);
    controller.abort();
    await expect(asleep).resolves.toBeUndefined();
    await expect(systemClock.sleep(3_600_000, controller.signal)).resolves.toBeUndefined();
  });

  it('wakes by itself', async () => {
    const before = systemClock.now();
    await systemClock.sleep(2);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });
});
