/** How many seats a priority level could use, as statistics of the time since the last reset. */

export interface SeatDemandSummary {
  readonly average: number;
  readonly deviation: number;
  readonly highWatermark: number;
  readonly seconds: number;
}

export class SeatDemand {
  readonly #now: () => number;
  #value = 0;
  #max = 0;
  #since: number;
  #last: number;
  #sum = 0;
  #squares = 0;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = this.#last = now();
  }

  set(seats: number, at: number): void {
    this.#integrate(at);
    this.#value = seats;
    if (seats > this.#max) this.#max = seats;
  }

  reset(): SeatDemandSummary {
    const at = this.#now();
    this.#integrate(at);
    const ms = at - this.#since;
    const average = ms > 0 ? this.#sum / ms : this.#value;
    const summary = {
      average,
      deviation: ms > 0 ? Math.sqrt(Math.max(0, this.#squares / ms - average * average)) : 0,
      highWatermark: this.#max,
      seconds: ms / 1000,
    };
    this.#since = at;
    this.#sum = this.#squares = 0;
    this.#max = this.#value;
    return summary;
  }

  #integrate(at: number): void {
    const ms = at - this.#last;
    this.#sum += this.#value * ms;
    this.#squares += this.#value * this.#value * ms;
    this.#last = at;
  }
}
