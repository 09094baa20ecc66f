import { describe, expect, it } from '@jest/globals';
import { LoopTurns, Slice, SLICE_MS, TURN_MS } from './slice.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Keeps the loop for so long. */
function hold(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** Works until it is told to stop, a slice each time; calls back in the middle of each. */
async function work(turns: LoopTurns, inSlice: () => void, isOver: () => boolean): Promise<void> {
  const slice = new Slice(turns);
  while (!isOver()) {
    inSlice();
    hold(SLICE_MS);
    if (slice.due()) await slice.next();
  }
}

describe('sliced work', () => {
  it('of many holds a turn no longer than all may, and none of them waits for ever', async () => {
    const turns = new LoopTurns();
    const slices = new Array<number>(20).fill(0);
    let inTurn = 0;
    let most = 0;
    let isOver = false;
    const working = slices.map((_, i) =>
      work(
        turns,
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
    expect(most).toBeLessThanOrEqual(TURN_MS / SLICE_MS + 1);
    expect(Math.max(...slices) - Math.min(...slices)).toBeLessThanOrEqual(1);
    expect(Math.min(...slices)).toBeGreaterThan(1);
  });

  it('that begins in a turn that is used up yields after its first step', async () => {
    const turns = new LoopTurns();
    const first = new Slice(turns);
    first.due();
    hold(TURN_MS);
    expect(new Slice(turns).due()).toBe(true);
    await turn();
    expect(new Slice(turns).due()).toBe(false);
  });

  it('alone gets one slice in each turn, so that input and output have theirs', async () => {
    const turns = new LoopTurns();
    let slices = 0;
    let isOver = false;
    const working = work(
      turns,
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
    const turns = new LoopTurns();
    const done: number[] = [];
    let inTurn = 0;
    let most = 0;
    for (let i = 0; i < 30; i++)
      turns.share(() => {
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
    expect(most).toBeLessThanOrEqual(TURN_MS);
  });
});
