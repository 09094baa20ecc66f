import { describe, expect, it, jest } from '@jest/globals';
import { systemClock } from './clock.ts';

describe('systemClock', () => {
  it('stops sleeping when its signal aborts', async () => {
    const controller = new AbortController();
    const asleep = systemClock.sleep(3_600_000, controller.signal);
    controller.abort();
    await expect(asleep).resolves.toBeUndefined();
    await expect(systemClock.sleep(3_600_000, controller.signal)).resolves.toBeUndefined();
  });

  it('sleeps longer than the maximum of a Node timer', async () => {
    jest.useFakeTimers();
    try {
      let awake = false;
      const asleep = systemClock.sleep(2 ** 32).then(() => (awake = true));
      await jest.advanceTimersByTimeAsync(2 ** 32 - 1);
      expect(awake).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      await asleep;
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('wakes up by itself', async () => {
    const before = systemClock.now();
    await systemClock.sleep(2);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });
});
