import { describe, expect, it } from '@jest/globals';
import { Keepalive } from './keepalive.ts';

describe('signs of life', () => {
  it('are asked for after silence, once, and death is the lack of an answer', () => {
    const keepalive = new Keepalive({ afterMs: 100, timeoutMs: 10 }, 0);
    expect([keepalive.dueMs, keepalive.ask(99), keepalive.asked]).toEqual([100, false, false]);
    expect([keepalive.ask(100), keepalive.asked, keepalive.ask(105)]).toEqual([true, true, false]);
    expect([keepalive.dueMs, keepalive.isDead(109), keepalive.isDead(110)]).toEqual([110, false, true]);
  });

  it('are whatever is heard, asked for or not', () => {
    const keepalive = new Keepalive({ afterMs: 100, timeoutMs: 10 }, 0);
    keepalive.heard(50);
    expect([keepalive.ask(149), keepalive.ask(150)]).toEqual([false, true]);
    keepalive.heard(155);
    expect([keepalive.isDead(1000), keepalive.dueMs]).toEqual([false, 255]);
  });
});
