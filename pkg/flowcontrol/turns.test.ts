import { describe, expect, it } from '@jest/globals';
import { MAX_RUNNING, MAX_STARTS, Turns } from './turns.ts';

function openTurns() {
  let next: (() => void)[] = [];
  const turns = new Turns((work) => next.push(work));
  const begun: string[] = [];
  return {
    turns,
    begun,
    /** Begins at once or later. */
    enter: (name: string, now = 0) => {
      const turn = turns.enter(name, now);
      if (turn === undefined) begun.push(name);
      else void turn.then(() => begun.push(name));
    },
    tick: async () => {
      const works = next;
      next = [];
      for (const work of works) work();
      await Promise.resolve();
    },
  };
}

const countOf = (names: readonly string[], name: string) => names.filter((each) => each === name).length;

describe('Turns', () => {
  it('let a user alone begin as much as she likes', () => {
    const { enter, begun } = openTurns();
    for (let i = 0; i < 100; i++) enter('jane');
    expect(begun).toHaveLength(100);
  });

  it('let each of several begin a few requests in a tick, and have a few in work', async () => {
    const { enter, begun, tick, turns } = openTurns();
    enter('joe');
    for (let i = 0; i < 100; i++) enter('jane');
    expect(countOf(begun, 'jane')).toBe(MAX_STARTS);
    await tick();
    expect(countOf(begun, 'jane')).toBe(2 * MAX_STARTS);
    for (let i = 0; i < MAX_RUNNING; i++) await tick();
    expect(countOf(begun, 'jane')).toBe(MAX_RUNNING);
    enter('joe');
    expect(countOf(begun, 'joe')).toBe(2);
    turns.leave('jane');
    await tick();
    expect(countOf(begun, 'jane')).toBe(MAX_RUNNING + 1);
  });

  it('end when nobody else has asked for a second', async () => {
    const { enter, begun, tick, turns } = openTurns();
    enter('joe');
    turns.leave('joe');
    for (let i = 0; i < 50; i++) enter('jane');
    for (let i = 0; i < 100; i++) {
      await tick();
      if (countOf(begun, 'jane') > i) turns.leave('jane');
    }
    expect(countOf(begun, 'jane')).toBe(50);
    for (let i = 0; i < 50; i++) enter('jane', 1000);
    expect(countOf(begun, 'jane')).toBe(100);
  });

  it('keep the order of a user', async () => {
    const { turns, tick } = openTurns();
    const order: number[] = [];
    expect(turns.enter('joe', 0)).toBeUndefined();
    for (let i = 0; i < 20; i++) {
      const turn = turns.enter('jane', i === 10 ? 5000 : 0);
      if (turn === undefined) order.push(i);
      else void turn.then(() => order.push(i));
    }
    for (let i = 0; i < 20; i++) {
      await tick();
      turns.leave('jane');
    }
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });
});
