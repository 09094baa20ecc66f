/** Long work in short turns: other requests are served between two slices. */

/** One piece of work goes on no longer than about this. Yielding costs about 10 µs. */
export const SLICE_MS = 2;
/** All pieces of work together hold one turn of the loop no longer than about this, however many there are. */
export const TURN_MS = 8;

/**
 * What pieces of work that run at the same time share: the turns of the loop. Whoever yields waits in line; those in front go on, one after the
 * other, until the turn is used up, and the rest in the next one. The first in line always gets its slice, so that nobody waits for ever.
 */
export class LoopTurns {
  /** Since the first work in the turn of now; undefined: there was none yet. */
  #endsAt: number | undefined;
  /** In line behind those of `#resuming`: who has just gone on waits for another turn. */
  #waiting: (() => void)[] = [];
  /** Two lines instead of one: from the front of a long one each would have to be shifted. */
  #resuming: readonly (() => void)[] = [];
  /** How many of them have gone on. */
  #resumed = 0;
  #isScheduled = false;

  /** Whether sliced work has held this turn for long enough. */
  isOver(now: number): boolean {
    if (this.#endsAt === undefined) {
      this.#endsAt = now + TURN_MS;
      this.#schedule();
    }
    return now >= this.#endsAt;
  }

  /** Resolves in a later turn of the loop, after waiting input and output had theirs. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#wait(resolve));
  }

  /** Does it at once, or in a later turn when this one is used up: for what many may ask for in one moment. `work` must not throw. */
  share(work: () => void): void {
    if (this.isOver(performance.now())) this.#wait(work);
    else work();
  }

  #wait(resume: () => void): void {
    this.#waiting.push(resume);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#begin());
  }

  #begin(): void {
    const now = performance.now();
    this.#endsAt = Math.max(this.#endsAt ?? now + TURN_MS, now + SLICE_MS);
    if (this.#isLineEmpty()) {
      this.#resuming = this.#waiting;
      this.#waiting = [];
      this.#resumed = 0;
    }
    this.#resume();
  }

  #isLineEmpty(): boolean {
    return this.#resumed === this.#resuming.length;
  }

  readonly #resume = (): void => {
    const wake = this.#resuming[this.#resumed];
    if (wake === undefined) {
      this.#end();
      return;
    }
    this.#resumed++;
    wake();
    // What it does now are microtasks; a tick comes behind the last of them.
    queueMicrotask(() => process.nextTick(this.#goOn));
  };

  readonly #goOn = (): void => {
    if (performance.now() >= (this.#endsAt ?? 0)) this.#end();
    else this.#resume();
  };

  #end(): void {
    this.#isScheduled = false;
    this.#endsAt = undefined;
    if (this.#waiting.length > 0 || !this.#isLineEmpty()) this.#schedule();
  }
}

/** Measures one piece of work. `while (…) { …; if (slice.due()) await slice.next(); }` */
export class Slice {
  readonly #turns: LoopTurns;
  #startedAt = performance.now();
  #workedMs = 0;

  /** `turns`: shared with other work. Absent: it has nothing to do with other work. */
  constructor(turns: LoopTurns = new LoopTurns()) {
    this.#turns = turns;
  }

  due(): boolean {
    const now = performance.now();
    return now - this.#startedAt >= SLICE_MS || this.#turns.isOver(now);
  }

  /** Since the beginning, without what others did between two slices. */
  workedMs(): number {
    return this.#workedMs + performance.now() - this.#startedAt;
  }

  /** Lets what was just brought about go on, so that it counts as part of the slice: the end of a stream is microtasks. */
  async settled(): Promise<void> {
    await Promise.resolve();
  }

  /** Lets others run, then starts the next slice. */
  async next(): Promise<void> {
    this.#workedMs = this.workedMs();
    await this.#turns.next();
    this.#startedAt = performance.now();
  }
}
