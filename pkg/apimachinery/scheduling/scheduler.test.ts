import { describe, expect, it } from '@jest/globals';
import { Scheduler, ScheduledTask, TASK_QUANTUM_MS, TICK_BUDGET_MS } from './scheduler.ts';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** Blocks the event loop for `ms`. */
function blockLoop(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** Works in steps until `isOver`, and calls `onStep` at each. */
async function work(scheduler: Scheduler, onStep: () => void, isOver: () => boolean): Promise<void> {
  const task = new ScheduledTask(scheduler);
  while (!isOver()) {
    onStep();
    blockLoop(TASK_QUANTUM_MS);
    if (task.shouldYield()) await task.yield();
  }
}

describe('Scheduled tasks', () => {
  it('share the budget of a tick, and none of them starves', async () => {
    const scheduler = new Scheduler();
    const steps = new Array<number>(20).fill(0);
    let stepsInTick = 0;
    let maxSteps = 0;
    let isOver = false;
    const working = steps.map((_, i) =>
      work(
        scheduler,
        () => {
          steps[i] = (steps[i] ?? 0) + 1;
          stepsInTick++;
        },
        () => isOver,
      ),
    );
    // All began in this tick, before the scheduler ran.
    await nextTick();
    for (let i = 0; i < 60; i++) {
      stepsInTick = 0;
      await nextTick();
      maxSteps = Math.max(maxSteps, stepsInTick);
    }
    isOver = true;
    await Promise.all(working);
    // The end of the budget is noticed up to one step late.
    expect(maxSteps).toBeLessThanOrEqual(TICK_BUDGET_MS / TASK_QUANTUM_MS + 1);
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
    expect(Math.min(...steps)).toBeGreaterThan(1);
  });

  it('that begin in a spent tick yield after their first step', async () => {
    const scheduler = new Scheduler();
    const first = new ScheduledTask(scheduler);
    first.shouldYield();
    blockLoop(TICK_BUDGET_MS);
    expect(new ScheduledTask(scheduler).shouldYield()).toBe(true);
    await nextTick();
    expect(new ScheduledTask(scheduler).shouldYield()).toBe(false);
  });

  it('without competition get one quantum per tick, so that I/O is served', async () => {
    const scheduler = new Scheduler();
    let steps = 0;
    let isOver = false;
    const working = work(
      scheduler,
      () => steps++,
      () => isOver,
    );
    for (let i = 0; i < 10; i++) await nextTick();
    isOver = true;
    await working;
    expect(steps).toBeLessThanOrEqual(11);
    expect(steps).toBeGreaterThan(5);
  });

  it('that arrive together run in order, within the budget of each tick', async () => {
    const scheduler = new Scheduler();
    const done: number[] = [];
    let stepsInTick = 0;
    let maxSteps = 0;
    for (let i = 0; i < 30; i++)
      scheduler.runOrDefer(() => {
        done.push(i);
        stepsInTick++;
        blockLoop(1);
      });
    while (done.length < 30) {
      maxSteps = Math.max(maxSteps, stepsInTick);
      stepsInTick = 0;
      await nextTick();
    }
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(maxSteps).toBeLessThanOrEqual(TICK_BUDGET_MS);
  });
});
