import type { Clock } from '../../apimachinery/time/clock.ts';

/** The `Date` header (RFC 9110 section 6.6.1), formatted once per second. */
export class HttpDate {
  readonly #clock: Clock;
  #second = -1;
  #text = '';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get text(): string {
    const now = this.#clock.now();
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(now).toUTCString();
    }
    return this.#text;
  }
}
