/** The plain limits: how many requests that read, and how many that write, are worked on at once. 0: no limit. */

export interface InFlightLimits {
  readonly reading: number;
  readonly writing: number;
}

export class MaxInFlight {
  readonly #limits: InFlightLimits;
  readonly #running = { reading: 0, writing: 0 };

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /** False: refused. True: `leave` must follow. */
  enter(kind: keyof InFlightLimits): boolean {
    const limit = this.#limits[kind];
    if (limit > 0 && this.#running[kind] >= limit) return false;
    this.#running[kind]++;
    return true;
  }

  leave(kind: keyof InFlightLimits): void {
    this.#running[kind]--;
  }
}
