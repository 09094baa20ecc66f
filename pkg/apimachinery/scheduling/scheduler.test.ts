import { describe, expect, it } from '@jest/globals';
import { Scheduler, ScheduledTask, TASK_QUANTUM_MS, TICK_BUDGET_MS } from './scheduler.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Keeps the loop for so long. */
function hold(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** Works until it is told to stop, a slice each time; calls back in the middle of each. */
async function work(scheduler: Scheduler, inSlice: () => void, isOver: () => boolean): Promise<void> {
  const task = new ScheduledTask(scheduler);
  while (!isOver()) {
    inSlice();
    hold(TASK_QUANTUM_MS);
    if (task.shouldYield()) await task.yield();
  }
}

describe('sliced work', () => {
  it('of many holds a turn no longer than all may, and none of them waits for ever', async () => {
    const scheduler = new Scheduler();
    const slices = new Array<number>(20).fill(0);
    let inTurn = 0;
    let most = 0;
    let isOver = false;
    const working = slices.map((_, i) =>
      work(
        scheduler,
        () => {
          slices[i] = (slices[i] ?? 0) + 1;
          inTurn++;
        },
        () => isOver,
      ),
    );
    // All began in this turn, which is none of theirs.
    await turn();
    for (let i = 0; i < 60; i++) {
      inTurn = 0;
      await turn();
      most = Math.max(most, inTurn);
    }
    isOver = true;
    await Promise.all(working);
    // The turn's end may be seen up to one slice late.
    expect(most).toBeLessThanOrEqual(TICK_BUDGET_MS / TASK_QUANTUM_MS + 1);
    expect(Math.max(...slices) - Math.min(...slices)).toBeLessThanOrEqual(1);
    expect(Math.min(...slices)).toBeGreaterThan(1);
  });

  it('that begins in a turn that is used up yields after its first step', async () => {
    const scheduler = new Scheduler();
    const first = new ScheduledTask(scheduler);
    first.shouldYield();
    hold(TICK_BUDGET_MS);
    expect(new ScheduledTask(scheduler).shouldYield()).toBe(true);
    await turn();
    expect(new ScheduledTask(scheduler).shouldYield()).toBe(false);
  });

  it('singleObject gets one slice in each turn, so that input and output have theirs', async () => {
    const scheduler = new Scheduler();
    let slices = 0;
    let isOver = false;
    const working = work(
      scheduler,
      () => slices++,
      () => isOver,
    );
    for (let i = 0; i < 10; i++) await turn();
    isOver = true;
    await working;
    expect(slices).toBeLessThanOrEqual(11);
    expect(slices).toBeGreaterThan(5);
  });

  it('that comes in one moment is done in the order it came, as much of it in each turn as may be', async () => {
    const scheduler = new Scheduler();
    const done: number[] = [];
    let inTurn = 0;
    let most = 0;
    for (let i = 0; i < 30; i++)
      scheduler.runOrDefer(() => {
        done.push(i);
        inTurn++;
        hold(1);
      });
    while (done.length < 30) {
      most = Math.max(most, inTurn);
      inTurn = 0;
      await turn();
    }
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(most).toBeLessThanOrEqual(TICK_BUDGET_MS);
  });
});
