import { describe, expect, it } from '@jest/globals';
import { Keepalive } from './keepalive.ts';

describe('a keepalive', () => {
  it('pings once after silence, and the peer is dead when it does not answer', () => {
    const keepalive = new Keepalive({ afterMs: 100, timeoutMs: 10 }, 0);
    expect([keepalive.dueMs, keepalive.startPing(99), keepalive.isPinging]).toEqual([100, false, false]);
    expect([keepalive.startPing(100), keepalive.isPinging, keepalive.startPing(105)]).toEqual([true, true, false]);
    expect([keepalive.dueMs, keepalive.isDead(109), keepalive.isDead(110)]).toEqual([110, false, true]);
  });

  it('takes anything received as proof of life', () => {
    const keepalive = new Keepalive({ afterMs: 100, timeoutMs: 10 }, 0);
    keepalive.received(50);
    expect([keepalive.startPing(149), keepalive.startPing(150)]).toEqual([false, true]);
    keepalive.received(155);
    expect([keepalive.isDead(1000), keepalive.dueMs]).toEqual([false, 255]);
  });
});
