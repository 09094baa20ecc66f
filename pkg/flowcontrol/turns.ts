/**
 * Seats say how many requests are worked on at once. That is not enough for one event loop: a hundred writes of one
 * user that wake up together would keep everybody else waiting for 20 ms. So while several users ask, each of them has
 * a few requests in work at a time, and begins a few in each tick. A user alone is not slowed.
 */

/** Requests of a user that are in work at once, while others ask. */
export const MAX_RUNNING = 8;
/** Requests of a user that begin in one tick, while others ask. */
export const MAX_STARTS = 2;
/** How long others count after their last request. */
const OTHERS_MS = 1000;
/** More users than this are forgotten when they have nothing to do. */
const MAX_IDLE = 1000;

class User {
  readonly name: string;
  running = 0;
  tick = -1;
  startsInTick = 0;
  readonly waiting: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }
}

export class Turns {
  readonly #users = new Map<string, User>();
  readonly #queued = new Set<User>();
  readonly #nextTick: (work: () => void) => void;
  #last: User | undefined;
  #othersUntil = -Infinity;
  #tick = 0;
  #isTickAwaited = false;

  /** `nextTick`: calls back in the next tick of the event loop, after pending I/O. */
  constructor(nextTick: (work: () => void) => void) {
    this.#nextTick = nextTick;
  }

  /** Undefined: begin now. Else begin when it resolves. Each must be followed by `leave`. `now`: milliseconds. */
  enter(name: string, now: number): Promise<void> | undefined {
    const user = this.#userOf(name);
    if (this.#last !== user) {
      if (this.#last !== undefined) this.#othersUntil = now + OTHERS_MS;
      this.#last = user;
    }
    if (now >= this.#othersUntil && user.waiting.length === 0) {
      user.running++;
      return undefined;
    }
    if (user.waiting.length === 0 && this.#mayStart(user)) {
      this.#start(user);
      return undefined;
    }
    return new Promise((resolve) => {
      user.waiting.push(resolve);
      this.#queued.add(user);
      this.#awaitTick();
    });
  }

  leave(name: string): void {
    const user = this.#userOf(name);
    user.running--;
    if (user.waiting.length > 0) this.#awaitTick();
    else if (user.running === 0 && this.#users.size > MAX_IDLE) this.#users.delete(name);
  }

  #userOf(name: string): User {
    let user = this.#users.get(name);
    if (user === undefined) this.#users.set(name, (user = new User(name)));
    return user;
  }

  #mayStart(user: User): boolean {
    return user.running < MAX_RUNNING && (user.tick !== this.#tick || user.startsInTick < MAX_STARTS);
  }

  #start(user: User): void {
    if (user.tick !== this.#tick) user.startsInTick = 0;
    user.tick = this.#tick;
    user.startsInTick++;
    user.running++;
    this.#awaitTick();
  }

  #awaitTick(): void {
    if (this.#isTickAwaited) return;
    this.#isTickAwaited = true;
    this.#nextTick(() => this.#beginTick());
  }

  #beginTick(): void {
    this.#isTickAwaited = false;
    this.#tick++;
    for (const user of this.#queued) {
      let begun = 0;
      while (begun < user.waiting.length && this.#mayStart(user)) {
        this.#start(user);
        user.waiting[begun++]?.();
      }
      user.waiting.splice(0, begun);
      if (user.waiting.length === 0) this.#queued.delete(user);
      else if (user.running < MAX_RUNNING) this.#awaitTick();
    }
  }
}
